import BatonPostgres
import Challenges
import ChallengesServer
import TestSupport
import Testing

/// Rules 62 to 70: which members are notified of a changed rank.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct RankChangeTests {
  private let monday = "2024-06-03"

  /// Creates Ann, Bob and Cid with 3, 2 and 1 check-ins on one day.
  ///
  /// The members have been notified once.
  private func withRanks(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      for (user, count) in [("ann", 3), ("bob", 2), ("cid", 1)] {
        try await gym.join(user)
        for n in 1...count { try await gym.record("\(n)", by: user, at: "2024-06-05 0\(n):00") }
      }
      try await gym.publishAndTell()
      try await body(gym)
    }
  }

  private func record(_ user: String, _ names: String..., in gym: Gym) async throws {
    for name in names { try await gym.record(name, by: user, at: "2024-06-05 11:00") }
  }

  @Test func `a first appearance is silent, and so is a board that did not change`() async throws {
    try await withRanks { gym in
      #expect(try await gym.told() == [])
      #expect(
        try await gym.lines("select told_rank::text from standing where told_rank = rank").count
          == 6)
      let again = try await gym.tell()
      #expect(again.boards == 0)
    }
  }

  @Test func `whoever moved is told: up by rank, down by whom`() async throws {
    try await withRanks { gym in
      try await record("cid", "a", "b", in: gym)
      try await gym.publishAndTell()
      let told = try await gym.lines(
        "select user_id || ': ' || (content ->> 'message') from notification order by user_id")
      #expect(
        told == [
          "bob: cid passed you: you are now #3 in check-ins.",
          "cid: You are now #1 in check-ins.",
        ])
      try await record("bob", "a", "b", in: gym)
      try await record("dan", in: gym)
      try await gym.publishAndTell()
      // Bob's rank changed from 2 to 3 to 1, so his unread notification says from 2. Cid's rank
      // changes from 3 to 2.
      #expect(Set(try await gym.told()) == ["bob 2 1", "cid 3 2", "ann 1 2"])
    }
  }

  @Test func `being caught up with is silent, catching up is told`() async throws {
    try await withRanks { gym in
      try await record("bob", "a", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told() == ["bob 2 1"])
    }
  }

  @Test func `several who passed are counted`() async throws {
    try await withRanks { gym in
      try await record("bob", "a", "b", in: gym)
      try await record("cid", "a", "b", "c", in: gym)
      try await gym.publishAndTell()
      #expect(
        try await gym.lines(
          "select content ->> 'message' from notification where user_id = 'ann'")
          == ["2 members passed you: you are now #3 in check-ins."])
    }
  }

  @Test
  func `an unread notification changes in place, keeps its first rank, and goes when it is back`()
    async throws
  {
    try await withRanks { gym in
      try await record("cid", "a", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told() == ["cid 3 2"])
      try await gym.stand(at: "2024-06-05 12:01")
      try await record("cid", "b", "c", in: gym)
      let told = try await changeAndTell(gym)
      #expect((told.written, told.changed) == (2, 1))
      #expect(Set(try await gym.told()) == ["cid 3 1", "ann 1 2", "bob 2 3"])
      #expect(
        try await gym.lines(
          """
          select to_char(created_at, 'HH24:MI') || ' ' || to_char(changed_at, 'HH24:MI')
          from notification where user_id = 'cid'
          """) == ["12:00 12:01"])
      try await record("ann", "a", "b", in: gym)
      #expect(try await changeAndTell(gym).takenBack == 1)
      #expect(Set(try await gym.told()) == ["cid 3 2", "bob 2 3"])
    }
  }

  @Test func `a notification that was read stays, and the next one counts from what it said`()
    async throws
  {
    try await withRanks { gym in
      try await record("cid", "a", in: gym)
      try await gym.publishAndTell()
      try await gym.run("update notification set is_read = true")
      try await record("cid", "b", "c", in: gym)
      try await gym.publishAndTell()
      #expect(Set(try await gym.told()) == ["cid 3 2", "cid 2 1", "ann 1 2", "bob 2 3"])
    }
  }

  @Test
  func `an unread notification goes with the standing, one that was read or is being read stays`()
    async throws
  {
    try await withRanks { gym in
      try await gym.connection.script(Statement("test/limit", "set lock_timeout = '5s'"))
      func rankAgain(hidden: Bool) async throws {
        try await gym.run("update entry set hidden = \(hidden) where user_id in ('bob', 'cid')")
        try await gym.publishAndTell()
      }
      try await record("cid", "a", "b", in: gym)
      try await gym.publishAndTell()
      #expect(Set(try await gym.told()) == ["cid 3 1", "bob 2 3"])
      try await gym.run("update notification set is_read = true where user_id = 'bob'")
      try await rankAgain(hidden: true)
      #expect(try await gym.told() == ["bob 2 3"])
      // A member who is displayed for the first time again is not notified. The next change causes
      // the only unread notification.
      try await rankAgain(hidden: false)
      try await record("bob", "a", "b", in: gym)
      try await gym.publishAndTell()
      #expect(
        try await gym.lines(
          "select user_id || ' ' || (content ->> 'from') from notification where not is_read "
            + "order by user_id, 1") == ["ann 1", "bob 3", "cid 1"])
      try await gym.withConnection { other in
        let reader = try await OpenTransaction(other, in: gym)
        try await reader.run(.test("update notification set is_read = true where user_id = 'bob'"))
        try await rankAgain(hidden: true)
        try await reader.commit()
      }
      #expect(
        try await gym.lines(
          "select user_id from notification where user_id <> 'ann'") == ["bob", "bob"])
    }
  }

  @Test func `a notification that is being read is left to its reader`() async throws {
    try await withRanks { gym in
      // A wait for the reader would never end.
      try await gym.connection.script(Statement("test/limit", "set lock_timeout = '5s'"))
      try await record("cid", "a", in: gym)
      try await gym.publishAndTell()
      try await gym.withConnection { other in
        let reader = try await OpenTransaction(other, in: gym)
        try await reader.run(.test("update notification set is_read = true"))
        try await record("cid", "b", "c", in: gym)
        try await gym.publishAndTell()
        try await reader.commit()
      }
      #expect(Set(try await gym.told()) == ["cid 3 2", "cid 2 1", "ann 1 2", "bob 2 3"])
    }
  }

  @Test func `net zero in the window tells nobody`() async throws {
    try await withRanks { gym in
      try await record("cid", "a", "b", "c", in: gym)
      try await gym.publishAll()
      try await record("ann", "a", "b", in: gym)
      try await record("bob", "a", "b", "c", in: gym)
      try await gym.publishAndTell()
      // Bob has 5, Ann 5 and Cid 4. Cid is third again, and was never notified of another rank.
      #expect(try await gym.told() == ["bob 2 1"])
    }
  }

  @Test func `whoever lowered their own value is not told`() async throws {
    try await withRanks { gym in
      // An edit into the previous week removes one check-in.
      try await gym.record("3", by: "ann", at: "2024-06-01 10:00", revision: 1)
      try await gym.record("2", by: "ann", at: "2024-06-01 11:00", revision: 1)
      try await gym.publishAndTell()
      #expect(try await gym.told().filter { $0.hasPrefix("ann") } == [])
      #expect(Set(try await gym.told()) == ["bob 2 1", "cid 3 2"])
      #expect(
        try await gym.lines(
          """
          select told_rank::text from standing
          where user_id = 'ann' and challenge_id = challenge_id('g', '\(monday)', 'check-ins')
          """) == ["2"])
    }
  }

  @Test func `whoever lowered their own value is told nothing even where they rise`() async throws {
    try await withRanks { gym in
      // Ann, Bob and Cid have one check-in each, so all of them are first.
      for (user, workout) in [("ann", "3"), ("ann", "2"), ("bob", "2")] {
        try await gym.record(workout, by: user, at: "2024-06-01 10:00", revision: 1)
      }
      try await gym.publishAndTell()
      #expect(try await gym.told() == ["cid 3 1"])
    }
  }

  @Test(.sampled(), arguments: [false, true])
  func `an unread notification goes where its reader's rank moves silently to another`(
    isMuted: Bool
  )
    async throws
  {
    try await withRanks { gym in
      try await record("bob", "a", "b", in: gym)
      try await gym.publishAndTell()
      #expect(Set(try await gym.told()) == ["bob 2 1", "ann 1 2"])
      if isMuted {
        try await gym.run("update member set is_muted = true where user_id = 'bob'")
        try await record("ann", "a", "b", in: gym)
      } else {
        for name in ["a", "b"] {
          try await gym.record(name, by: "bob", at: "2024-06-01 10:00", revision: 1)
        }
      }
      // Ann has her original rank again, and Bob is no longer first.
      #expect(try await changeAndTell(gym).takenBack == 2)
      #expect(try await gym.told() == [])
      #expect(
        try await gym.lines(
          "select told_rank::text from standing where notification_id is not null")
          == [])
    }
  }

  @Test func `an unread notification stays where its reader's value was lowered`() async throws {
    try await withRanks { gym in
      try await record("bob", "a", "b", in: gym)
      try await gym.publishAndTell()
      try await gym.record("1", by: "ann", at: "2024-06-01 10:00", revision: 1)
      try await gym.publishAndTell()
      #expect(Set(try await gym.told()) == ["bob 2 1", "ann 1 2"])
      try await record("ann", "a", "b", "c", in: gym)
      #expect(try await changeAndTell(gym).takenBack == 2)
    }
  }

  @Test func `who muted the group is not told, and the others are`() async throws {
    try await withRanks { gym in
      try await gym.run("update member set is_muted = true where user_id = 'cid'")
      try await record("cid", "a", "b", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told() == ["bob 2 3"])
    }
  }

  @Test func `a group of one is never told`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      for n in 1...3 {
        try await gym.record("\(n)", by: "ann", at: "2024-06-05 10:00")
        try await gym.publishAndTell()
      }
      #expect(try await gym.told() == [])
    }
  }

  @Test
  func `while a member is told too often the rank they know stays, and the net change follows`()
    async throws
  {
    try await withRanks { gym in
      try await gym.run("update setting set rank_change_cooldown = '1 hour'")
      try await record("cid", "a", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told() == ["cid 3 2"])
      try await gym.run("update notification set is_read = true")
      try await gym.stand(at: "2024-06-05 12:30")
      try await record("cid", "b", "c", in: gym)
      #expect(try await changeAndTell(gym).waiting == 1)
      try await gym.stand(at: "2024-06-05 13:00")
      try await gym.tell()
      #expect(try await gym.told().filter { $0.hasPrefix("cid") } == ["cid 3 2", "cid 2 1"])
      #expect(try await gym.tell().boards == 0)
    }
  }

  @Test func `a daily cap holds back what is new, not what changes in place`() async throws {
    try await withRanks { gym in
      try await gym.run("update setting set rank_change_daily_cap = 1")
      try await record("cid", "a", in: gym)
      try await gym.publishAndTell()
      try await record("cid", "b", in: gym)
      try await gym.publishAndTell()
      #expect(try await gym.told().filter { $0.hasPrefix("cid") } == ["cid 3 1"])
      try await gym.run("update notification set is_read = true")
      try await record("ann", "a", in: gym)
      #expect(try await changeAndTell(gym).waiting == 1)
      try await gym.stand(at: "2024-06-06 12:00")
      try await gym.tell()
      #expect(try await gym.told().filter { $0.hasPrefix("cid") } == ["cid 3 1", "cid 1 2"])
    }
  }

  @Test func `on a large board only the lines at 10 and 100 are told`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("1", by: "ann", at: "2024-06-05 10:00")
      try await gym.run(
        """
        insert into standing (challenge_id, user_id, value, rank, position, display_name,
          last_updated)
        select challenge_id('g', '\(monday)', 'check-ins'), 'u' || n, 2000 - n, n, n, 'u' || n,
          now() from generate_series(1, 1500) n
        """)
      try await gym.run("update board_version set is_told = false")
      try await gym.tell()
      // All members move down by one place.
      try await gym.run("update standing set rank = rank + 1, position = position + 1")
      try await gym.run("update board_version set is_told = false")
      try await gym.tell()
      #expect(Set(try await gym.told()) == ["u10 10 11", "u100 100 101"])
    }
  }

  // MARK: The close

  @Test func `the close tells the last change before the end of the week, and nothing follows`()
    async throws
  {
    try await withRanks { gym in
      try await record("cid", "a", in: gym)
      try await gym.publishAndTell()
      try await gym.stand(at: "2024-06-09 23:00")
      for n in 1...3 { try await gym.record("x\(n)", by: "cid", at: "2024-06-09 22:00") }
      try await gym.stand(at: "2024-06-10 00:10")
      let chunk = try await gym.close()
      #expect((chunk.closed, chunk.told) == (1, 3))
      #expect(try await gym.told().filter { $0.hasPrefix("cid 3") } == ["cid 3 1"])
      let order = try await gym.lines(
        "select type::text from notification where user_id = 'ann' order by id")
      #expect(order == ["rank_change", "week_ended"])
      try await gym.run("update board_version set is_told = false")
      try await gym.run("update standing set rank = 4 - rank")
      let after = try await gym.told()
      try await gym.tell()
      #expect(try await gym.told() == after)
    }
  }

  @Test func `an unread notification that has expired counts as read`() async throws {
    try await withRanks { gym in
      try await record("cid", "a", in: gym)
      try await gym.publishAndTell()
      try await gym.run("update setting set grace = '12 hours'")
      try await gym.run(
        """
        update notification
        set created_at = '2024-06-03 00:00', partition = day_partition('2024-06-03 00:00')
        """
      )
      try await gym.run(
        """
        update standing set notification_created_at = '2024-06-03 00:00'
        where notification_id is not null
        """
      )
      try await gym.stand(at: "2024-06-10 06:00")
      for n in 1...3 { try await gym.record("x\(n)", by: "cid", at: "2024-06-09 22:00") }
      try await gym.publishAndTell()
      // The next notification starts at the rank of the previous notification.
      #expect(
        try await gym.told().filter { $0.hasPrefix("cid") && !$0.hasSuffix(" 3") }
          == ["cid 3 2", "cid 2 1"])
      #expect(
        try await gym.lines(
          """
          select content ->> 'from' from visible_notification
          where user_id = 'cid' and content ->> 'challenge' = 'check-ins'
          """) == ["2"])
    }
  }

  // MARK: Parts

  private func changeAndTell(_ gym: Gym) async throws -> ToldBoards {
    try await gym.publishAll()
    return try await gym.tell()
  }
}
