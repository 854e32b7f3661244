import BatonJobs
import BatonPostgres
import Bench
import ChallengesSQL
import Foundation
import JobRunner

/// The `retention` benchmark, which deletes one day of old notifications, and old boards with all
/// dependent rows.
struct RetentionCase: BenchCase {
  let name = "retention"
  let unit = "boards/s"
  private static let challenges = BenchSize(
    "challenges", 10_000, quick: 1_200, "boards that retention removes")
  private static let notifications = BenchSize(
    "notifications", 1_000_000, quick: 10_000, "notifications that retention removes")
  private let longest = Longest()

  /// Returns an even number of boards, because each group has two boards.
  private func boards(_ options: BenchOptions) -> Int { max(2, options[Self.challenges] / 2 * 2) }

  func pairs(_ options: BenchOptions) -> Int { options.longPairs }

  var sizes: [BenchSize] { [Self.notifications, Self.challenges] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(options[Self.notifications], "notification")) "
      + "and \(counted(boards(options), "board")) with ten entries and standings each, on each side"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.define(stage.jobs)
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let boards = boards(stage.options)
    guard side == .raw else {
      try await fill(stage, boards: boards)
      return Double(boards) / (try await remove(stage, boards: boards))
    }
    try await stage.psql(
      "retention_setup.sql",
      ["notifications": stage.options[Self.notifications], "challenges": boards])
    let output = try await stage.psql("retention.sql")
    // psql prints a line such as `Time: 1234.567 ms (00:01.235)` for each statement.
    let times = output.split(separator: "\n").filter { $0.hasPrefix("Time: ") }
      .compactMap { Double($0.dropFirst(6).prefix { $0 != " " }) }
    guard times.count == 2 else { throw BenchRefusal.programFailed("psql", output: output) }
    return Double(boards) / (times.reduce(0, +) / 1_000)
  }

  /// Returns the duration of a run without expired data, the longest transaction, and the latency
  /// of concurrent calls.
  ///
  /// The concurrent calls record workouts and read notifications.
  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    let found = longest.milliseconds
    let (idle, _) = try await StepClock("retention", of: stage).work()
    // The measurement deletes six times as many boards as a round. In only 0.5 s, the number of
    // concurrent calls would be too small for a percentile.
    let boards = boards(stage.options) * 6
    try await fill(stage, boards: boards)
    let bystander = Bystander(stage: stage, members: boards * 5, aside: .listOfNotifications)
    let before = try await bystander.feelsAlone()
    let during = try await bystander.feels { _ = try await remove(stage, boards: boards) }
    return [
      BenchNote(name: "fixed_ms", value: idle * 1_000),
      BenchNote(name: "longest_ms", value: found),
      BenchNote(name: "writer_p99_alone_ms", value: before.p99),
      BenchNote(name: "writer_p99_ms", value: during.p99),
      BenchNote(name: "writer_longest_ms", value: during.longest),
    ]
  }

  private func fill(_ stage: BenchStage, boards: Int) async throws {
    let notifications = Int64(stage.options[Self.notifications])
    _ = try await stage.run(.count(SQL.Bench.setSize, Int64(boards), notifications))
    try await stage.script(SQL.Bench.makeOldBoards)
    try await stage.settle()
  }

  /// Deletes all expired data and returns the duration in seconds.
  private func remove(_ stage: BenchStage, boards: Int) async throws -> Double {
    let clock = try StepClock("retention", of: stage)
    let (seconds, report) = try await clock.work()
    longest.note(clock.milliseconds)
    guard report["boards"] == boards, report["partitions emptied"] > 0 else {
      throw BenchRefusal.incomplete("not everything was removed: \(report)")
    }
    return seconds
  }
}
