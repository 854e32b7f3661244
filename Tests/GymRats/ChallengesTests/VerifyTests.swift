import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport
import Testing

/// Rule 55: boards are compared with the ledger, and corrected without notifications.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct VerifyTests {
  private let monday = "2024-06-03"
  private let board = "challenge_id('g', '2024-06-03', 'check-ins')"

  /// Creates Ann, Bob and Cid with 3, 2 and 1 check-ins.
  ///
  /// The boards are published, and the members notified.
  private func withBoards(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-03 00:00") { gym in
      try await gym.found("bob", "cid")
      try await gym.stand(at: "2024-06-06 12:00")
      for (user, days) in [("ann", [4, 5, 6]), ("bob", [5, 6]), ("cid", [6])] {
        for day in days { try await gym.record("\(day)", by: user, at: "2024-06-0\(day) 09:00") }
      }
      try await gym.fold()
      try await gym.publishAndTell()
      try await gym.run("delete from notification")
      try await body(gym)
    }
  }

  private func expectHealed(_ gym: Gym) async throws {
    try await gym.heal()
    try await gym.fold()
    #expect(try await gym.drift() == [])
    try await gym.publishAndTell()
    #expect(try await gym.told() == [])
    #expect(try await gym.lines("select user_id from silent_move") == [])
    #expect(try await gym.standings(monday) == ["1 1 ann 3", "2 2 bob 2", "3 3 cid 1"])
    #expect(
      try await gym.standings(monday, "streak") == ["1 1 ann 3", "2 2 bob 2", "3 3 cid 1"])
  }

  @Test(
    .sampled(),
    arguments: [
      ("update entry set value = 7 where user_id = 'cid'", "value cid 7 1"),
      ("delete from entry where user_id = 'ann'", "value ann 0 3"),
      (
        "update entry set reached_at = reached_at - interval '1 h' where user_id = 'bob'",
        "reached_at bob 2024-06-06T08:00:00Z 2024-06-06T09:00:00Z"
      ),
      ("update standing set rank = 2 where user_id = 'ann'", "rank ann 2 1"),
      ("update standing set value = 9 where user_id = 'cid'", "published value cid 9 1"),
      ("update standing set position = 5 where user_id = 'cid'", "position cid 5 3"),
      ("delete from standing where user_id = 'bob'", "published value bob none 2"),
      ("update entry set hidden = true where user_id = 'bob'", "hidden bob true false"),
      ("update entry set display_name = 'Bo' where user_id = 'bob'", "name bob Bo Bob"),
      (
        "update entry set photo_url = 'https://x.org' where user_id = 'cid'",
        "photo cid https://x.org none"
      ),
      (
        "update standing set display_name = 'Bo' where user_id = 'bob'", "published name bob Bo Bob"
      ),
      (
        "update standing set photo_url = 'https://x.org' where user_id = 'cid'",
        "published photo cid https://x.org none"
      ),
    ])
  func `what was changed behind the triggers is found and healed, and nobody is told`(
    change: String, drift: String
  ) async throws {
    try await withBoards { gym in
      try await gym.withoutTriggers(change)
      let found = try await gym.drift()
      for type in ["check-ins", "streak"] { #expect(found.contains("\(type) \(drift)")) }
      try await expectHealed(gym)
    }
  }

  @Test func `entries that were published and told before they are healed`() async throws {
    try await withBoards { gym in
      try await gym.withoutTriggers("update entry set value = 7 where user_id = 'cid'")
      try await gym.publishAndTell()
      #expect(try await !gym.told().isEmpty)
      try await gym.heal()
      #expect(try await gym.told() == [])
      try await expectHealed(gym)
    }
  }

  @Test func `members are notified of rank changes from before the repair`() async throws {
    try await withBoards { gym in
      for hour in 10...12 {
        try await gym.record("\(hour)h", by: "cid", at: "2024-06-06 \(hour):00")
      }
      try await gym.fold()
      try await gym.publishAll()
      try await gym.withoutTriggers("update entry set display_name = 'Bo' where user_id = 'bob'")
      try await gym.heal()
      #expect(Set(try await gym.told()) == ["ann 1 2", "bob 2 3", "cid 3 1"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "update workout_day set streak = 9 where user_id = 'bob'",
      "delete from workout_day where user_id = 'bob' and local_date = '2024-06-05'",
      "update workout_day set workouts = 4 where user_id = 'bob' and local_date = '2024-06-06'",
    ])
  func `days that are wrong are derived anew with the value that they made`(
    change: String
  ) async throws {
    try await withBoards { gym in
      try await gym.withoutTriggers(change)
      try await gym.withoutTriggers("update entry set value = 9 where user_id = 'bob'")
      try await expectHealed(gym)
      #expect(
        try await gym.lines(
          """
          select concat_ws(' ', local_date, workouts, streak) from workout_day
          where user_id = 'bob' order by 1
          """) == ["2024-06-05 1 1", "2024-06-06 1 2"])
    }
  }

  @Test(.sampled()) func `a streak that comes from the weeks before is no drift`() async throws {
    try await Gym.open(at: "2024-05-01 00:00") { gym in
      try await gym.found("bob")
      for day in 0..<24 {
        let at = try await gym.lines(
          "select to_char(timestamp '2024-05-10 09:00' + interval '1 d' * \(day), 'YYYY-MM-DD HH24:MI')"
        )[0]
        try await gym.stand(at: at)
        try await gym.record("\(day)", at: at)
        if day % 5 == 2 { try await gym.record("\(day)", by: "bob", at: at, offset: 50400) }
        if day % 5 == 3 { try await gym.record("\(day)", by: "bob", at: at, offset: -43200) }
      }
      try await gym.fold()
      try await gym.publishAll()
      #expect(try await gym.drift() == [])
      for policy in ["lastRun", "weekOnly", "peak"] {
        try await gym.run("update setting set streak_policy = '\(policy)'")
        try await gym.heal()
        #expect(try await gym.drift() == [], "\(policy)")
      }
    }
  }

  @Test func `a closed board is reported and left alone`() async throws {
    try await withBoards { gym in
      try await gym.stand(at: "2024-06-10 01:00")
      #expect(try await gym.close().closed == 1)
      try await gym.withoutTriggers("update entry set value = 7 where user_id = 'cid'")
      let found = try await gym.drift()
      #expect(found.contains("check-ins value cid 7 1") && found.contains("streak value cid 7 1"))
      try await gym.heal()
      #expect(try await gym.drift() == found)
      #expect(try await gym.standings(monday).last == "3 3 cid 1")
    }
  }

  @Test func `late workouts and edits of a closed week are no drift`() async throws {
    try await withBoards { gym in
      try await gym.stand(at: "2024-06-10 01:00")
      try await gym.close()
      try await gym.record("late", by: "cid", at: "2024-06-05 10:00")
      try await gym.record("6", by: "bob", at: "2024-06-06 10:00", revision: 1)
      try await gym.fold()
      try await gym.publishAll()
      #expect(try await gym.drift() == [])
    }
  }

  @Test func `a board that waits to be ranked has no drift of ranks`() async throws {
    try await withBoards { gym in
      try await gym.record("more", by: "cid", at: "2024-06-06 10:00")
      #expect(try await gym.drift() == [])
      try await gym.publishAll()
      #expect(try await gym.drift() == [])
    }
  }

  @Test func `whoever left or does not share is no drift`() async throws {
    try await withBoards { gym in
      try await gym.call("leave_group('cid', 'g')")
      try await gym.run("update users set shares_workouts = false where id = 'bob'")
      try await gym.fold()
      try await gym.publishAndTell()
      #expect(try await gym.drift() == [])
    }
  }

  @Test(.sampled()) func `who is away and is shown all the same is hidden`() async throws {
    try await withBoards { gym in
      try await gym.call("leave_group('cid', 'g')")
      try await gym.publishAndTell()
      try await gym.withoutTriggers("update entry set hidden = false where user_id = 'cid'")
      try await gym.fold()
      #expect(try await gym.drift().contains("check-ins hidden cid false true"))
      try await gym.heal()
      try await gym.fold()
      #expect(try await gym.drift() == [])
      #expect(try await gym.standings(monday) == ["1 1 ann 3", "2 2 bob 2"])
      #expect(try await gym.lines("select user_id from silent_move") == [])
    }
  }

  @Test(.sampled()) func `a board that was reopened shows whom it showed, and that is no drift`()
    async throws
  {
    try await withBoards { gym in
      try await gym.stand(at: "2024-06-10 01:00")
      try await gym.close()
      try await gym.call("leave_group('cid', 'g')")
      try await gym.run("select update_profile('bob', 'Robert', null)")
      try await gym.run("select reopen_week('g', '\(monday)', 'a test', '1 hour')")
      try await gym.publishAll()
      try await gym.fold()
      #expect(try await gym.drift() == [])
      #expect(try await gym.standings(monday).count == 3)
      // The correction of another drift does not change this one either.
      try await gym.withoutTriggers("update entry set value = 9 where user_id = 'cid'")
      try await gym.heal()
      #expect(
        try await gym.lines(
          "select distinct display_name || ' ' || hidden from entry where user_id <> 'ann' order by 1"
        )
          == ["Bob false", "Cid false"])
    }
  }

  @Test func `members are counted`() async throws {
    try await withBoards { gym in
      try await gym.withoutTriggers("update groups set member_count = 1")
      #expect(try await gym.drift() == ["member_count 1 3"])
      try await gym.heal()
      #expect(try await gym.drift() == [])
    }
  }

  @Test func `a healing waits for whoever records, and loses nothing of theirs`() async throws {
    try await withBoards { gym in
      try await gym.withoutTriggers("update entry set value = 7 where user_id = 'cid'")
      try await gym.withConnection { other in
        let writer = try await OpenTransaction(gym.connection, in: gym)
        try await writer.run(.record("more", by: "cid", at: "2024-06-06 10:00"))
        async let healing: Void = gym.heal(
          .member("cid", WeekPosition(monday: monday, group: "g")), on: other)
        try await gym.waitUntilBlocked()
        try await writer.commit()
        try await healing
      }
      try await gym.fold()
      try await gym.publishAll()
      #expect(try await gym.drift() == [])
      #expect(
        try await gym.entries(of: "cid").first == "2024-06-03 check-ins 2 at 06 10:00")
    }
  }
}
