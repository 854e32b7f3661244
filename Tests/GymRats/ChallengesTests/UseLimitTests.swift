import BatonPostgres
import TestSupport
import Testing

/// Tests usage limits: the boundary, repetitions, two concurrent calls, and the next hour or day.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct UseLimitTests {
  private let noon = "2024-06-05 12:00"

  @Test func `a date takes a number of workouts, deleted ones included, and repeats are answered`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update setting set workouts_a_day = 3")
      for n in 1...3 { #expect(try await gym.record("w\(n)") == "accepted 2024-06-03") }
      #expect(try await gym.record("w4") == "rejected tooManyWorkouts")
      #expect(try await gym.record("w2") == "accepted 2024-06-03 again")
      #expect(try await gym.delete("w1") == "accepted 2024-06-03")
      #expect(try await gym.record("w4") == "rejected tooManyWorkouts")
      // Another date has room, and an edit cannot move its workout to the full date.
      #expect(try await gym.record("y", at: "2024-06-04 12:00Z") == "accepted 2024-06-03")
      let moved = "rejected tooManyWorkouts 2024-06-03"
      #expect(try await gym.record("y", at: "2024-06-05 11:00Z", revision: 1) == moved)
      #expect(try await gym.record("y", at: "2024-06-05 11:00Z", revision: 1) == "\(moved) again")
      // A refused workout is not stored, so its id is free for the next date.
      try await gym.stand(at: "2024-06-06 12:00")
      #expect(try await gym.record("w4") == "accepted 2024-06-03")
      #expect(try await gym.lines("select count(*)::text from workout") == ["5"])
    }
  }

  @Test func `of two calls at once for the last workout of a date, one is stored`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update setting set workouts_a_day = 2")
      try await gym.record("w1")
      let other = try await gym.test.connect()
      async let first = gym.record("w2")
      async let second = gym.record("w3", on: other)
      let answers = Set(try await [first, second])
      #expect(answers == ["accepted 2024-06-03", "rejected tooManyWorkouts"])
      await other.close()
    }
  }

  @Test func `a workout takes a number of edits and refused edits, and can then still be deleted`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.run("update setting set edits_a_workout = 3")
      try await gym.record("w", at: "2024-06-05 10:00Z")
      for n: Int32 in 1...2 {
        let answer = try await gym.record("w", at: "2024-06-05 10:0\(n)Z", revision: n)
        #expect(answer == "accepted 2024-06-03")
      }
      #expect(
        try await gym.record("w", at: "2024-06-09 10:00Z", revision: 3)
          == "rejected futureTimestamp 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-05 10:05Z", revision: 4)
          == "rejected tooManyEdits 2024-06-03")
      #expect(
        try await gym.record("w", at: "2024-06-05 10:02Z", revision: 2)
          == "accepted 2024-06-03 again")
      #expect(try await gym.delete("w") == "accepted 2024-06-03")
      let revisions = try await gym.lines("select count(*)::text from workout_revision")
      #expect(try await gym.delete("w", revision: 9) == "rejected tooManyEdits 2024-06-03")
      #expect(try await gym.delete("w") == "accepted 2024-06-03 again")
      #expect(try await gym.lines("select count(*)::text from workout_revision") == revisions)
    }
  }

  @Test func `a user creates a number of invites a day, and the same token is answered`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.run("update setting set invites_a_day = 2")
      let first = try await gym.call("create_invite('ann', 'g', '\(Gym.token)')")
      #expect(try await gym.call("(create_invite('ann', 'g')).expires_at").hasPrefix("2024-06-19"))
      #expect(try await gym.call("create_invite('ann', 'g')") == "limitReached invites_a_day")
      #expect(try await gym.call("create_invite('ann', 'g', '\(Gym.token)')") == first)
      // Other users have their own limit.
      try await gym.users("bob")
      try await gym.call("join_group('bob', '\(Gym.token)')")
      #expect(try await gym.call("(create_invite('bob', 'g')).expires_at").hasPrefix("2024"))
      try await gym.stand(at: "2024-06-06 12:00")
      #expect(try await gym.call("(create_invite('ann', 'g')).expires_at").hasPrefix("2024"))
    }
  }

  @Test func `a user creates a number of groups a day, and joins one a number of times`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run("update setting set groups_a_day = 2, joins_a_day = 2")
      try await gym.call("leave_group('ann', 'g')")
      #expect(try await gym.call("create_group('ann', 'h', 'H')").hasPrefix("(h,"))
      #expect(try await gym.call("create_group('ann', 'h', 'H')").hasPrefix("(h,"))
      try await gym.call("leave_group('ann', 'h')")
      #expect(try await gym.call("create_group('ann', 'i', 'I')") == "limitReached groups_a_day")
      let join = "join_group('ann', '\(Gym.token)')"
      try await gym.stand(at: "2024-06-05 12:01")
      #expect(try await gym.call(join).hasPrefix("(,g,"))
      try await gym.stand(at: "2024-06-05 12:02")
      try await gym.call("leave_group('ann', 'g')")
      #expect(try await gym.call(join) == "limitReached joins_a_day")
      try await gym.stand(at: "2024-06-06 12:01")
      #expect(try await gym.call("create_group('ann', 'i', 'I')").hasPrefix("(i,"))
      #expect(try await gym.broken() == [])
    }
  }

  @Test func `a user pauses sharing a number of times a day, and can always switch it off`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found("bob")
      try await gym.run("update setting set pauses_a_day = 2")
      let (off, on) = (
        "update_privacy_settings('ann', false)", "update_privacy_settings('ann', true)"
      )
      for minute in 1...2 {
        try await gym.stand(at: "2024-06-05 12:0\(minute)")
        for call in [off, off] { #expect(try await gym.call(call) == "") }
        if minute == 1 { #expect(try await gym.call(on) == "") }
      }
      #expect(try await gym.call(on) == "limitReached pauses_a_day")
      #expect(try await gym.call(off) == "")
      // A call with the current value changes nothing, so the call is never refused.
      #expect(try await gym.call("update_privacy_settings('bob', true)") == "")
      try await gym.stand(at: "2024-06-06 12:01")
      #expect(try await gym.call(on) == "")
      #expect(try await gym.lines("select count(*)::text from sharing_pause") == ["2"])
    }
  }

  @Test func `all users together sign in a number of times for the first time in an hour`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.run("update setting set accounts_an_hour = 2")
      func signIn(_ subject: String) async throws -> String {
        try await gym.call("(upsert_user('apple', '\(subject)')).auth_provider")
      }
      for subject in ["s1", "s2", "s1"] { #expect(try await signIn(subject) == "apple") }
      #expect(try await signIn("s3") == "limitReached accounts_an_hour")
      #expect(try await signIn("s2") == "apple")
      try await gym.stand(at: "2024-06-05 12:59:59")
      #expect(try await signIn("s3") == "limitReached accounts_an_hour")
      try await gym.stand(at: "2024-06-05 13:00")
      #expect(try await signIn("s3") == "apple")
    }
  }

  @Test func `an attempt counts for all users even if its transaction is rolled back`() async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.found()
      try await gym.users("bob", "cid")
      try await gym.run("update setting set attempts_an_hour = 5, invite_attempts = 2")
      for _ in 1...4 {
        try await gym.connection.rolledBack(in: gym.schema) {
          let answer = try await gym.connection.run(
            .lines("select (join_group('bob', 'guess')).refusal"))
          #expect(answer == ["inviteInvalid"])
        }
      }
      // Bob's calls stored nothing, and a valid invite does not count as an attempt.
      #expect(try await gym.lines("select attempts::text from invite_attempt") == [])
      #expect(try await gym.call("preview_invite('bob', '\(Gym.token)')").hasPrefix("(,"))
      #expect(try await gym.call("preview_invite('bob', 'guess')") == "(inviteInvalid,,,)")
      let refused = "tooManyAttempts attempts_an_hour"
      #expect(try await gym.call("join_group('cid', '\(Gym.token)')") == refused)
      try await gym.stand(at: "2024-06-05 13:00")
      #expect(try await gym.call("join_group('cid', '\(Gym.token)')").hasPrefix("(,g,"))
    }
  }

  @Test func `a counter of an hour survives clocks that are set`() async throws {
    try await Gym.open(at: noon) { gym in
      func count(_ at: String) async throws -> String {
        try await gym.lines("select count_in_hour('attempt_count', '\(at)')::text").joined()
      }
      func counted(_ at: String) async throws -> String {
        try await gym.lines("select counted_in_hour('attempt_count', '\(at)')::text").joined()
      }
      let before = try await counted("2024-06-05 12:00Z")
      #expect(before == "0")
      #expect(try await count("2024-06-05 12:00Z") == "1")
      #expect(try await count("2024-06-05 12:59:59Z") == "2")
      #expect(try await counted("2024-06-05 12:59:59Z") == "2")
      #expect(try await counted("2024-06-05 13:00Z") == "0")
      #expect(try await count("2024-06-05 13:00Z") == "1")
      // If the clock goes back by a second into the previous hour, the count continues. After
      // years, the count begins again.
      #expect(try await count("2024-06-05 12:59:59Z") == "2")
      #expect(try await count("2034-06-05 12:00Z") == "1")
      #expect(try await count("2024-06-05 13:00Z") == "1")
    }
  }
}
