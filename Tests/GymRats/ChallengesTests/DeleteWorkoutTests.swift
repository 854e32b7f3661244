import BatonPostgres
import Challenges
import ChallengesServer
import TestSupport
import Testing

/// Rule 27: a deletion is an event of the ledger with its own answers, and the boards are updated.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct DeleteWorkoutTests {
  private let noon = "2024-06-05 12:00"

  @Test func `a deleted workout leaves both boards, and what was reached goes back`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for day in ["03", "04", "05"] { try await gym.record(day, at: "2024-06-\(day) 10:00") }
      #expect(try await gym.delete("05", revision: 1) == "accepted 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 2 at 04 10:00", "2024-06-03 streak 2 at 04 10:00",
        ])
      // Without the day in the middle, the streak of the remaining days is broken.
      try await gym.record("05b", at: "2024-06-05 11:00")
      #expect(try await gym.delete("04") == "accepted 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 2 at 05 11:00", "2024-06-03 streak 1 at 03 10:00",
        ])
      #expect(try await gym.delete("03") == "accepted 2024-06-03")
      #expect(try await gym.delete("05b") == "accepted 2024-06-03")
      try await gym.publishAll()
      #expect(try await gym.standings("2024-06-03") == [])
    }
  }

  @Test func `an equal value is reached by the workout that is left`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("early", at: "2024-06-04 07:00")
      try await gym.record("late", at: "2024-06-04 19:00")
      let updated = "select last_updated::text from entry order by challenge_id"
      let before = try await gym.lines(updated)
      try await gym.stand(at: "2024-06-05 13:00")
      try await gym.delete("early")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 04 19:00", "2024-06-03 streak 1 at 04 19:00",
        ])
      // Rule 21: the streak's value did not change.
      let after = try await gym.lines(updated)
      let unchanged = zip(before, after).filter { $0.0 == $0.1 }
      #expect(unchanged.count == 1)
    }
  }

  @Test func `the streaks of the weeks behind follow`() async throws {
    try await Gym.open(at: "2024-06-09 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("sat", at: "2024-06-08 10:00")
      try await gym.record("sun", at: "2024-06-09 10:00")
      try await gym.stand(at: "2024-06-10 00:05")
      try await gym.record("mon", at: "2024-06-10 00:01")
      #expect(try await gym.entries().last == "2024-06-10 streak 3 at 10 00:01")
      // During the grace period, the board of the previous week is open.
      #expect(try await gym.delete("sun") == "accepted 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 08 10:00", "2024-06-03 streak 1 at 08 10:00",
          "2024-06-10 check-ins 1 at 10 00:01", "2024-06-10 streak 1 at 10 00:01",
        ])
    }
  }

  // MARK: Answers

  @Test func `each call has its own answer, and a retry its first one`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      #expect(try await gym.delete("w", revision: 1) == "rejected workoutNotFound")
      #expect(try await gym.lines("select workout_id from workout") == [])
      try await gym.record("w", at: "2024-06-04 10:00", revision: 1)
      #expect(try await gym.delete("w", revision: 0) == "duplicate 2024-06-03")
      #expect(
        try await gym.delete("w", revision: 1) == "rejected idempotencyConflict 2024-06-03")
      #expect(try await gym.delete("w", revision: 2) == "accepted 2024-06-03")
      try await gym.stand(at: "2024-09-20 12:00")
      for revision in [2, nil] as [Int32?] {
        #expect(try await gym.delete("w", revision: revision) == "accepted 2024-06-03 again")
      }
      #expect(try await gym.delete("w", revision: 1) == "duplicate 2024-06-03")
      #expect(try await gym.delete("w", revision: 3) == "accepted 2024-06-03")
    }
  }

  @Test func `a call about a deleted workout: behind it, at it, and an edit that brings it back`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w")
      try await gym.delete("w", revision: 1)
      #expect(try await gym.record("w") == "duplicate 2024-06-03")
      // The payload is equal to the payload that the row still contains.
      #expect(try await gym.record("w", revision: 1) == "rejected idempotencyConflict 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 0 at 05 12:00")
      #expect(
        try await gym.record("w", at: "2024-06-05 09:00", revision: 2) == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 09:00")
      #expect(try await gym.delete("w", revision: 1) == "duplicate 2024-06-03")
      #expect(try await gym.delete("w") == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 0 at 05 09:00")
    }
  }

  @Test func `a workout that counted nowhere is deleted like any other`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann", at: "2024-06-04")
      try await gym.record("before", at: "2024-06-03 10:00")
      try await gym.record("future", at: "2024-06-05 14:00")
      try await gym.run("insert into users (id, display_name) values ('cid', 'Cid')")
      try await gym.record("alone", by: "cid")
      let before = try await gym.lines("select key from event")
      for (user, workout) in [("ann", "before"), ("ann", "future"), ("cid", "alone")] {
        #expect(try await gym.delete(workout, by: user) == "accepted 2024-06-03")
        #expect(try await gym.delete(workout, by: user) == "accepted 2024-06-03 again")
      }
      #expect(try await gym.entries() == [])
      #expect(try await gym.lines("select key from event") == before)
    }
  }

  @Test func `somebody who is nobody, and ids that are none, are errors`() async throws {
    try await Gym.open(at: noon) { gym in
      for (call, code) in [
        ("'bob', 'w'", "ZG001"), ("'', 'w'", "ZG001"), ("null, 'w'", "ZB002"),
        ("'bob', ''", "ZB002"), ("'bob', null", "ZB002"), ("'bob', 'w', -1", "ZB002"),
      ] {
        let error = await #expect(throws: PostgresError.self) {
          try await gym.run("select delete_workout(\(call))")
        }
        #expect(error?.sqlState.code == code, "\(call)")
      }
    }
  }

  // MARK: Closed boards

  /// Creates Ann with a workout on Saturday, 8 June 2024 and a late workout on Sunday.
  ///
  /// The week is closed.
  private func withClosedWeek(_ body: (Gym) async throws -> Void) async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-08 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      #expect(try await gym.close().closed == 1)
      #expect(try await gym.record("late", at: "2024-06-09 11:00") == "acceptedLate 2024-06-03")
      try await gym.record("mon", at: "2024-06-10 00:05")
      try await body(gym)
    }
  }

  @Test func `what a closed board shows stays, and the refusal is remembered`() async throws {
    try await withClosedWeek { gym in
      let before = try await gym.entries()
      let refused = "rejected weekClosed 2024-06-03"
      #expect(try await gym.delete("w", revision: 1) == refused)
      #expect(try await gym.delete("w", revision: 1) == refused + " again")
      // Without a revision, the call is evaluated again.
      for _ in 0..<2 { #expect(try await gym.delete("w") == refused) }
      #expect(try await gym.lines("select reason from refused_edit") == ["weekClosed"])
      #expect(try await gym.entries() == before)
      // An edit with the same revision is another call. This also holds for an edit without a time,
      // which means now.
      #expect(try await gym.record("w", revision: 1) == refused)
      #expect(
        try await gym.record("w", at: "2024-06-08 10:00", revision: 1)
          == "acceptedLate 2024-06-03")
      try await gym.run("select reopen_week('g', '2024-06-03', 'a mistake', '1 hour')")
      #expect(try await gym.delete("w", revision: 1) == refused + " again")
      #expect(try await gym.delete("w", revision: 2) == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 09 11:00")
    }
  }

  @Test func `a late workout is deleted, and the streak behind it follows`() async throws {
    try await withClosedWeek { gym in
      let streak = try await gym.entries().last
      #expect(streak == "2024-06-10 streak 3 at 10 00:05")
      #expect(try await gym.delete("late") == "acceptedLate 2024-06-03")
      #expect(
        try await gym.entries() == [
          "2024-06-03 check-ins 1 at 08 11:00", "2024-06-03 streak 1 at 08 11:00",
          "2024-06-10 check-ins 1 at 10 00:05", "2024-06-10 streak 1 at 10 00:05",
        ])
      // If the workout is recorded again, it is as late as before.
      #expect(
        try await gym.record("late", at: "2024-06-09 11:00", revision: 5)
          == "acceptedLate 2024-06-03")
      #expect(try await gym.entries().last == "2024-06-10 streak 3 at 10 00:05")
    }
  }

  @Test(arguments: ["cancelled", "gone"])
  func `a board that shows nothing any more keeps no workout`(state: String) async throws {
    try await withClosedWeek { gym in
      if state == "gone" {
        try await gym.run("update setting set board_age = '7 days'")
        try await gym.stand(at: "2024-06-20")
        try await gym.run(
          """
          with board as (select id from challenge where week_start = '2024-06-03'),
          entries as (delete from entry where challenge_id in (select id from board))
          delete from challenge where id in (select id from board)
          """)
      } else {
        try await gym.run(
          "update challenge set state = 'cancelled' where week_start = '2024-06-03'")
      }
      #expect(try await gym.delete("w") == "acceptedLate 2024-06-03")
      let days = "select local_date::text from workout_day order by 1"
      #expect(try await gym.lines(days) == ["2024-06-09", "2024-06-10"])
    }
  }

  // MARK: Membership and sharing

  @Test func `a workout of a former group is deleted, and nobody else's board changes`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.join("bob", "h")
      try await gym.record("w", at: "2024-06-05 10:00")
      for statement in [
        "update member set left_at = domain_now() where group_id = 'g'",
        "delete from active_group where user_id = 'ann'",
        "insert into member values ('h', 'ann', 'member', '2024-06-01')",
        "insert into active_group values ('ann', 'h') on conflict do nothing",
      ] { try await gym.run(statement) }
      try await gym.record("x", at: "2024-06-05 11:00")
      #expect(try await gym.delete("w") == "accepted 2024-06-03")
      let values = """
        select c.group_id || ' ' || e.value from entry e join challenge c on c.id = e.challenge_id
        where type = 'check-ins' order by 1
        """
      #expect(try await gym.lines(values) == ["g 0", "h 1"])
    }
  }

  @Test func `who does not share workouts may still take them back, and stays hidden`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-04 10:00")
      try await gym.record("b", at: "2024-06-05 10:00")
      try await gym.run("select update_privacy_settings('ann', false)")
      #expect(try await gym.delete("a") == "accepted 2024-06-03")
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
      #expect(try await gym.lines("select distinct hidden::text from entry") == ["true"])
    }
  }

  @Test func `an entry that a deletion makes is hidden of who does not share`() async throws {
    try await Gym.open(at: "2024-06-10 00:05") { gym in
      try await gym.run("update setting set max_checkins_per_day = 1")
      try await gym.join("ann")
      // One local date is in two weeks. The second workout exceeds the limit, so the second week
      // has no check-in.
      try await gym.record("sun", at: "2024-06-09 23:00", offset: 10_800)
      try await gym.record("mon", at: "2024-06-10 00:01", offset: 10_800)
      let boards = """
        select week_start || ' ' || value || ' ' || hidden from entry e
        join challenge c on c.id = e.challenge_id where type = 'check-ins' order by 1
        """
      #expect(try await gym.lines(boards) == ["2024-06-03 1 false"])
      try await gym.run("select update_privacy_settings('ann', false)")
      try await gym.delete("sun")
      #expect(try await gym.lines(boards) == ["2024-06-03 0 true", "2024-06-10 1 true"])
      try await gym.run("select update_privacy_settings('ann', true)")
      #expect(try await gym.lines(boards) == ["2024-06-03 0 false", "2024-06-10 1 false"])
    }
  }
}
