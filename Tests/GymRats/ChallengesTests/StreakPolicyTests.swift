import BatonPostgres
import TestSupport
import Testing

/// A member's workouts, and the week's board that they create.
///
/// Each workout is sent at its own time by default.
struct StreakCase: Sendable, CustomTestStringConvertible {
  let name: String
  let week: String
  var zone: String?
  /// The time of each workout, and the offset in hours.
  ///
  /// A workout with `late` is sent together with the last one.
  let workouts: [(time: String, offset: Double?)]
  var late: [(time: String, offset: Double?)] = []
  /// `value at when` for each policy.
  let peak: String
  let lastRun: String
  let weekOnly: String

  var testDescription: String { name }

  func expected(_ policy: String) -> String {
    switch policy {
    case "lastRun": lastRun
    case "weekOnly": weekOnly
    default: peak
    }
  }

  private static func at(_ times: String...) -> [(time: String, offset: Double?)] {
    times.map { (time: $0, offset: nil) }
  }

  static let all = [
    StreakCase(
      name: "consecutive", week: "2024-06-03",
      workouts: at("2024-06-03 10:00", "2024-06-04 10:00", "2024-06-05 10:00"),
      peak: "3 at 05 10:00", lastRun: "3 at 05 10:00", weekOnly: "3 at 05 10:00"),
    StreakCase(
      name: "broken", week: "2024-06-03",
      workouts: at("2024-06-03 10:00", "2024-06-04 10:00", "2024-06-05 10:00", "2024-06-07 10:00"),
      peak: "3 at 05 10:00", lastRun: "1 at 03 10:00", weekOnly: "3 at 05 10:00"),
    StreakCase(
      name: "broken and longer", week: "2024-06-03",
      workouts: at(
        "2024-06-03 10:00", "2024-06-05 10:00", "2024-06-06 10:00", "2024-06-06 20:00"),
      peak: "2 at 06 10:00", lastRun: "2 at 06 10:00", weekOnly: "2 at 06 10:00"),
    StreakCase(
      name: "backfilled", week: "2024-06-03",
      workouts: at("2024-06-03 10:00", "2024-06-05 10:00"), late: at("2024-06-04 10:00"),
      peak: "3 at 05 10:00", lastRun: "3 at 05 10:00", weekOnly: "3 at 05 10:00"),
    StreakCase(
      // Monday in London, Tuesday in Los Angeles, Wednesday at 1:30 in Kolkata.
      name: "several zones", week: "2024-06-03",
      workouts: [("2024-06-03 10:00", 1), ("2024-06-04 10:00", -7), ("2024-06-04 20:00", 5.5)],
      peak: "3 at 04 20:00", lastRun: "3 at 04 20:00", weekOnly: "3 at 04 20:00"),
    StreakCase(
      // Monday in Honolulu, no Tuesday, Wednesday and Thursday on Kiritimati.
      name: "date line", week: "2024-06-03",
      workouts: [("2024-06-04 04:00", -10), ("2024-06-04 20:00", 14), ("2024-06-05 20:00", 14)],
      peak: "3 at 05 20:00", lastRun: "3 at 05 20:00", weekOnly: "3 at 05 20:00"),
    StreakCase(
      // The bridge starts on a day of the previous week, which the policy weekOnly ignores.
      name: "date line over the week's edge", week: "2024-06-03",
      workouts: [("2024-06-02 23:00", -10), ("2024-06-03 20:00", 14)],
      peak: "2 at 03 20:00", lastRun: "2 at 03 20:00", weekOnly: "1 at 03 20:00"),
    StreakCase(
      // Each workout is at 23:30 in New York, before and after its clocks were put forward on
      // Sunday.
      name: "clock changes", week: "2024-03-11", zone: "America/New_York",
      workouts: at("2024-03-10 04:30", "2024-03-11 03:30", "2024-03-12 03:30"),
      peak: "3 at 12 03:30", lastRun: "3 at 12 03:30", weekOnly: "2 at 12 03:30"),
    StreakCase(
      name: "over the week's edge", week: "2024-06-10",
      workouts: at(
        "2024-06-08 10:00", "2024-06-09 10:00", "2024-06-10 10:00", "2024-06-11 10:00",
        "2024-06-13 10:00"),
      peak: "4 at 11 10:00", lastRun: "1 at 13 10:00", weekOnly: "2 at 11 10:00"),
    StreakCase(
      // A week in UTC contains parts of eight local dates.
      name: "eight dates", week: "2024-06-03",
      workouts: [("2024-06-03 00:30", -5)]
        + (3...9).map { (time: "2024-06-0\($0) 22:00", offset: -5) },
      peak: "8 at 09 22:00", lastRun: "8 at 09 22:00", weekOnly: "7 at 08 22:00"),
    StreakCase(
      // Sunday in UTC-12 is after Monday in UTC+14, which is in the previous week.
      name: "the last date is not the last workout", week: "2024-06-10",
      workouts: [("2024-06-09 11:00", 14), ("2024-06-10 01:00", -12)],
      peak: "1 at 10 01:00", lastRun: "1 at 10 01:00", weekOnly: "1 at 10 01:00"),
  ]
}

/// Rules 37 to 45.
///
/// Each test is named after its rule, with the policies of rule 41.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct StreakPolicyTests {
  @Test(.sampled(), arguments: StreakCase.all, ["peak", "lastRun", "weekOnly"])
  func `the board of a week shows`(_ example: StreakCase, by policy: String) async throws {
    try await Gym.open(at: "2024-01-01") { gym in
      try await gym.run("update setting set streak_policy = '\(policy)'")
      try await gym.join("ann", zone: example.zone)
      for (number, workout) in (example.workouts + example.late).enumerated() {
        let clock = number < example.workouts.count ? workout.time : example.workouts.last?.time
        try await gym.stand(at: clock ?? "")
        let answer = try await gym.record(
          "\(number)", at: workout.time, offset: workout.offset.map { Int32($0 * 3600) })
        #expect(answer.hasPrefix("accepted 2024"))
      }
      let streak = try await gym.entries().first { $0.hasPrefix("\(example.week) streak") }
      #expect(streak == "\(example.week) streak \(example.expected(policy))")
      // The result of deriving it again from the ledger is the same.
      try await gym.run(
        "select derive_entries('ann', 'g', '\(example.week)', domain_now())")
      #expect(try await gym.entries().contains(streak ?? ""))
    }
  }

  @Test func `after a break training again lowers lastRun, and nothing else`() async throws {
    for (policy, values) in [("peak", [2, 2]), ("lastRun", [2, 1]), ("weekOnly", [2, 2])] {
      try await Gym.open(at: "2024-06-07 12:00") { gym in
        try await gym.run("update setting set streak_policy = '\(policy)'")
        try await gym.join("ann")
        try await gym.record("1", at: "2024-06-04 10:00")
        try await gym.record("2", at: "2024-06-05 10:00")
        let value = "select value::text from leaderboard where type = 'streak'"
        try await gym.publishAll()
        let before = try await gym.lines(value)
        try await gym.record("3", at: "2024-06-07 10:00")
        try await gym.publishAll()
        let after = try await gym.lines(value)
        #expect(before + after == values.map { "\($0)" }, "\(policy)")
      }
    }
  }
}
