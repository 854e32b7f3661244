import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Rules 9 to 13, 30 to 36 and 71 to 76: the effects of closing a week, and when it is closed.
@Suite(.serialized)
struct WeekCloseTests {
  /// Creates Ann and Bob with a week of 3 June, and Cid without workouts.
  private func withWeek(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      for user in ["ann", "bob", "cid"] { try await gym.join(user) }
      try await gym.record("1", by: "ann", at: "2024-06-05 10:00")
      try await gym.record("2", by: "ann", at: "2024-06-06 10:00")
      try await gym.record("1", by: "bob", at: "2024-06-07 10:00")
      try await body(gym)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("2024-06-09 23:59:59.999999", 0), ("2024-06-10 00:00", 0),
      ("2024-06-10 00:09:59.999999", 0), ("2024-06-10 00:10", 1),
    ])
  func `a week closes when its grace is over, to the microsecond`(clock: String, weeks: Int)
    async throws
  {
    try await withWeek { gym in
      try await gym.stand(at: clock)
      #expect(try await gym.close().closed == weeks)
      #expect(try await gym.states() == ["g 2024-06-03 \(weeks == 1 ? "closed" : "open")"])
    }
  }

  @Test(arguments: ["0", "12 hours"])
  func `the grace is a setting`(grace: String) async throws {
    try await withWeek { gym in
      try await gym.run("update setting set grace = '\(grace)'")
      try await gym.stand(at: "2024-06-10 11:59:59")
      #expect(try await gym.close().closed == (grace == "0" ? 1 : 0))
      #expect(
        try await gym.lines("select delay::text from schedule_delay where job = 'close-week'")
          == [grace == "0" ? "00:00:00" : "12:00:00"])
    }
  }

  @Test func `the standings are final though nothing was ever published`() async throws {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-10 00:10")
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.standings("2024-06-03") == ["1 1 ann 2", "2 2 bob 1"])
      // A recompute after the closing does not change the board.
      try await gym.publish("2024-06-03")
      #expect(try await gym.version() == ["1"])
    }
  }

  @Test func `every member is told once, also one without an entry`() async throws {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-10 00:10")
      #expect(try await gym.close().told == 3)
      #expect(try await gym.close().told == 0)
      #expect(
        try await gym.ended() == ["ann 2024-06-03", "bob 2024-06-03", "cid 2024-06-03"])
      let you = try await gym.lines(
        """
        select concat_ws(' ', user_id, content -> 'you' -> 'check-ins' ->> 'rank',
          content -> 'boards' -> 'check-ins' ->> 'participants',
          content -> 'boards' -> 'check-ins' -> 'winners' -> 0 ->> 'name',
          content ->> 'label') from visible_notification order by user_id
        """)
      #expect(you == ["ann 1 2 ann 2024-W23", "bob 2 2 ann 2024-W23", "cid 2 ann 2024-W23"])
      #expect(
        try await gym.lines(
          "select content ->> 'message' from visible_notification order by user_id")
          == [
            "Week 23 has ended: you came #1 in check-ins and #1 in streak.",
            "Week 23 has ended: you came #2 in check-ins and #2 in streak.",
            "Week 23 has ended. See who won.",
          ])
    }
  }

  @Test func `who left or joined after the end is not told`() async throws {
    try await withWeek { gym in
      try await gym.join("dan", at: "2024-06-09 23:59:59.999999")
      try await gym.join("eve", at: "2024-06-10 00:00")
      try await gym.run("update member set left_at = '2024-06-08' where user_id = 'bob'")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      #expect(
        try await gym.ended() == ["ann 2024-06-03", "cid 2024-06-03", "dan 2024-06-03"])
    }
  }

  @Test func `a group without an entry closes silently`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.run(
        """
        insert into challenge (id, group_id, week_start, type)
        select challenge_id('g', '2024-06-03', t), 'g', '2024-06-03', t
        from unnest(enum_range(null::challenge_type)) t
        """)
      try await gym.stand(at: "2024-06-10 00:10")
      let chunk = try await gym.close()
      #expect((chunk.closed, chunk.told, chunk.silent) == (1, 0, 1))
      #expect(try await gym.ended() == [])
    }
  }

  @Test func `weeks that were missed close one after the other, the old ones silently`()
    async throws
  {
    try await withWeek { gym in
      for (week, day) in [("a", "2024-06-12"), ("b", "2024-06-19"), ("c", "2024-06-26")] {
        try await gym.stand(at: "\(day) 12:00")
        try await gym.record(week, by: "ann", at: "\(day) 10:00")
      }
      try await gym.stand(at: "2024-07-02 00:00")
      var chunks: [ClosedChunk] = []
      for _ in 0..<4 { chunks.append(try await gym.close()) }
      // A group's weeks are closed in separate chunks, oldest first.
      #expect(chunks.map(\.closed) == [1, 1, 1, 1])
      #expect(
        chunks.map(\.end?.monday) == ["2024-06-03", "2024-06-10", "2024-06-17", "2024-06-24"])
      #expect(chunks.map(\.late) == [1, 1, 1, 0])
      #expect(try await gym.ended() == ["ann 2024-06-24", "bob 2024-06-24", "cid 2024-06-24"])
    }
  }

  @Test(arguments: [("2024-06-17 00:00", 0), ("2024-06-16 23:59:59.999999", 3)])
  func `a week that ended seven days ago is told to nobody`(clock: String, told: Int)
    async throws
  {
    try await withWeek { gym in
      try await gym.stand(at: clock)
      #expect(try await gym.close().told == told)
      #expect(try await gym.states() == ["g 2024-06-03 closed"])
    }
  }

  @Test
  func
    `what concerns the group is kept once, and a notification is marked as read where it is seen`()
    async throws
  {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      #expect(
        try await gym.lines(
          """
          select distinct content::text || week_start || array_length(scores, 1) from notification
          """) == ["{}2024-06-036"])
      #expect(
        try await gym.lines(
          """
          select string_agg(key, ' ' order by key)
          from closed_week, jsonb_object_keys(content) key
          """
        ) == ["boards label"])
      try await gym.run("update visible_notification set is_read = true where user_id = 'ann'")
      #expect(
        try await gym.lines("select user_id from visible_notification where is_read") == ["ann"])
      // A notification from before the content was shared contains its whole content.
      try await gym.run(
        """
        update notification n set content = v.content, week_start = null, scores = null
        from visible_notification v
        where v.user_id = n.user_id and n.user_id = 'bob'
        """)
      try await gym.run("update closed_week set content = null")
      #expect(
        try await gym.lines(
          "select content ->> 'label' from visible_notification where user_id = 'bob'")
          == ["2024-W23"])
    }
  }

  @Test func `the previous rank is that of the week before`() async throws {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-10 12:00")
      try await gym.close()
      try await gym.record("x", by: "bob", at: "2024-06-10 10:00")
      try await gym.stand(at: "2024-06-17 00:10")
      try await gym.close()
      #expect(
        try await gym.lines(
          """
          select content -> 'you' -> 'check-ins' ->> 'previous_rank' from visible_notification
          where user_id = 'bob' and content ->> 'week_start' = '2024-06-10'
          """) == ["2"])
    }
  }

  // MARK: Reopening

  @Test func `a reopened week can be corrected, is closed again, and tells nobody again`()
    async throws
  {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      #expect(
        try await gym.record("late", by: "bob", at: "2024-06-05 08:00")
          == "acceptedLate 2024-06-03")
      try await gym.run("select reopen_week('g', '2024-06-03', 'phone was offline', '1 hour')")
      #expect(try await gym.close().closed == 0, "it is held open")
      #expect(
        try await gym.record("more", by: "bob", at: "2024-06-05 09:00")
          == "accepted 2024-06-03")
      try await gym.publishAndTell()
      try await gym.stand(at: "2024-06-10 01:10")
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.standings("2024-06-03") == ["1 1 bob 3", "2 2 ann 2"])
      #expect(try await gym.ended().count == 3)
      #expect(try await gym.told() == [])
      #expect(
        try await gym.lines("select group_id || ' ' || reason from week_reopening")
          == ["g phone was offline"])
    }
  }

  @Test func `the week after a correction is compared with what was corrected`() async throws {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await gym.run("select reopen_week('g', '2024-06-03', 'phone was offline', '1 hour')")
      for name in ["a", "b"] { try await gym.record(name, by: "bob", at: "2024-06-05 09:00") }
      try await gym.stand(at: "2024-06-10 12:00")
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.standings("2024-06-03").first == "1 1 bob 3")
      for user in ["ann", "bob"] { try await gym.record("x", by: user, at: "2024-06-10 11:00") }
      try await gym.stand(at: "2024-06-17 00:10")
      try await gym.close()
      let compared = try await gym.lines(
        """
        select concat_ws(' ', user_id, content ->> 'week_start',
          content -> 'you' -> 'check-ins' ->> 'previous_rank')
        from visible_notification where user_id <> 'cid' order by 1
        """)
      #expect(compared == ["ann 2024-06-10 2", "bob 2024-06-10 1"])
      #expect(
        try await gym.lines("select week_start || ' ' || closings from closed_week order by 1")
          == ["2024-06-03 2", "2024-06-10 1"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("'g', '2024-06-03', ' ', '1 hour'", "ZB020"), ("'g', '2024-06-03', 'x', '8 days'", "ZB021"),
      ("'g', '2024-06-03', 'x', '0'", "ZB021"), ("'g', '2024-06-03', 'x', null", "ZB021"),
      ("'g', '2024-06-10', 'x', '1 hour'", "ZB022"), ("null, '2024-06-03', 'x', '1 hour'", "ZB022"),
    ])
  func `what cannot be reopened is refused by name`(arguments: String, code: String) async throws {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("select reopen_week(\(arguments))")
      }
      #expect(error?.sqlState.code == code)
      #expect(try await gym.states() == ["g 2024-06-03 closed"])
    }
  }

  // MARK: Late boards

  @Test func `a board made of a week that is over wakes the close`() async throws {
    try await withWeek { gym in
      try await gym.stand(at: "2024-06-12 12:00")
      try await gym.close()
      try await gym.join("zoe", "h")
      let events = "select topic || ' ' || key from event where topic = 'week.overdue'"
      #expect(try await gym.lines(events) == [])
      #expect(
        try await gym.record("w", by: "zoe", at: "2024-06-08 10:00") == "accepted 2024-06-03")
      #expect(try await gym.lines(events) == ["week.overdue scheduled"])
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.ended().contains("zoe 2024-06-03"))
    }
  }
}
