import BatonPostgres
import Challenges
import TestSupport
import Testing

/// Rule 16: tests all outcomes, and edits and deletions across days, weeks and boards.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct OutcomeTests {
  @Test func `each outcome is answered by some call, and once more as it was`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.join("ann", at: "2024-06-04")
      try await gym.run("insert into users (id, display_name) values ('cid', 'Cid')")
      var answers: [String] = []
      func ask(_ workout: String, by user: String = "ann", at time: String, _ revision: Int32 = 0)
        async throws
      {
        let first = try await gym.record(workout, by: user, at: time, revision: revision)
        let second = try await gym.record(workout, by: user, at: time, revision: revision)
        // A call that stored nothing is evaluated again.
        let isStored = !["expired", "ignoredPrivacy", "duplicate"].contains {
          first.hasPrefix($0)
        }
        #expect(second == first + (isStored ? " again" : ""))
        answers.append(first)
      }
      try await ask("a", at: "2024-06-08 10:00", 1)
      try await ask("a", at: "2024-06-08 11:00", 0)
      try await ask("b", at: "2024-06-03 10:00")
      try await ask("c", by: "cid", at: "2024-06-08 10:00")
      try await ask("d", at: "2024-01-01")
      try await ask("e", at: "2024-06-01 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await ask("f", at: "2024-06-09 10:00")
      try await gym.run("select update_privacy_settings('ann', false)")
      try await ask("g", at: "2024-06-10 00:05")
      #expect(
        answers == [
          "accepted 2024-06-03", "duplicate 2024-06-03", "notCounted beforeJoining 2024-06-03",
          "noActiveGroup 2024-06-03", "expired", "rejected tooOld 2024-05-27",
          "acceptedLate 2024-06-03", "ignoredPrivacy",
        ])
      let outcomes = try await gym.lines(
        "select unnest(enum_range(null::workout_outcome))::text order by 1")
      let words = Set(answers.compactMap { $0.split(separator: " ").first.map(String.init) })
      #expect(words == Set(outcomes))
    }
  }

  @Test func `an edit and a deletion over days, weeks and boards leave what the rest makes`()
    async throws
  {
    // The final state is the same as for a member without the intermediate calls.
    try await Gym.open(at: "2024-06-10 00:05") { gym in
      for user in ["ann", "bob"] { try await gym.join(user) }
      for (name, time) in [
        ("a", "2024-06-07 10:00"), ("b", "2024-06-08 10:00"), ("c", "2024-06-09 10:00"),
        ("d", "2024-06-10 00:01"),
      ] { try await gym.record(name, at: time) }
      // The workout moves to another day, to the previous week, and back. It leaves the streak, is
      // deleted, and is recorded again.
      try await gym.record("a", at: "2024-06-04 10:00", revision: 1)
      try await gym.record("b", at: "2024-06-10 00:02", revision: 1)
      try await gym.record("b", at: "2024-06-08 12:00", revision: 2)
      try await gym.delete("c", revision: 1)
      try await gym.delete("d", revision: 1)
      try await gym.record("d", at: "2024-06-10 00:03", revision: 2)
      for (name, time) in [
        ("a", "2024-06-04 10:00"), ("b", "2024-06-08 12:00"), ("d", "2024-06-10 00:03"),
      ] { try await gym.record(name, by: "bob", at: time) }
      let ann = try await gym.entries()
      let bob = try await gym.entries(of: "bob")
      #expect(ann == bob)
      #expect(
        ann == [
          "2024-06-03 check-ins 2 at 08 12:00", "2024-06-03 streak 1 at 04 10:00",
          "2024-06-10 check-ins 1 at 10 00:03", "2024-06-10 streak 1 at 10 00:03",
        ])
    }
  }

  @Test func `a workout behind a close bridges into the open week, and taken back it does not`()
    async throws
  {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("sat", at: "2024-06-08 10:00")
      try await gym.stand(at: "2024-06-10 10:00")
      try await gym.close()
      try await gym.record("mon", at: "2024-06-10 09:00")
      #expect(try await gym.record("sun", at: "2024-06-09 10:00") == "acceptedLate 2024-06-03")
      #expect(try await gym.entries().last == "2024-06-10 streak 3 at 10 09:00")
      #expect(try await gym.entries()[0] == "2024-06-03 check-ins 1 at 08 10:00")
      // Rule 33: after 90 days, a workout can still be deleted, but no workout can be recorded.
      try await gym.stand(at: "2024-09-09 10:00")
      #expect(try await gym.record("old", at: "2024-06-10 09:00") == "expired")
      #expect(try await gym.delete("sun") == "acceptedLate 2024-06-03")
    }
  }
}
