import BatonJobs
import BatonPostgres
import Bench
import ChallengesSQL
import JobRunner
import Synchronization

/// The `close` benchmark, in which an ended week is closed in every group and each member is
/// notified once.
struct CloseCase: BenchCase {
  let name = "close"
  let unit = "groups/s"
  private static let groups = BenchSize(
    "groups", 100_000, quick: 1_000, "groups that close closes a week of, in whole thousands")
  private let longest = Longest()

  /// Returns the number of groups, rounded to whole chunks of 1,000 groups.
  private func groups(_ options: BenchOptions) -> Int {
    max(1, options[Self.groups] / 1_000) * 1_000
  }

  func pairs(_ options: BenchOptions) -> Int { options.longPairs }

  var sizes: [BenchSize] { [Self.groups] }

  func writes(_ options: BenchOptions) -> String {
    "\(groups(options)) groups of ten with two boards of a week and of the week before, "
      + "\(groups(options) * 10) notifications, on each side"
  }

  func prepare(_ stage: BenchStage) async throws {
    let groups = Int64(groups(stage.options))
    _ = try await stage.run(.count(SQL.Bench.setSize, groups, 0 as Int64))
    try await stage.script(SQL.Bench.makeClosingWeek)
    try await stage.define(stage.jobs)
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let groups = groups(stage.options)
    guard side == .raw else {
      try await openAgain(stage)
      return Double(groups) / (try await close(stage, isWaiting: false))
    }
    try await stage.psql("close_setup.sql", ["groups": groups])
    return 1_000
      * (try await stage.pgbench("close.pgbench", ["-c", "1", "-t", "\(groups / 1_000)"]))
  }

  /// Returns the longest transaction, and the latency of concurrent calls that record workouts.
  func notes(_ stage: BenchStage) async throws -> [BenchNote] {
    let found = longest.milliseconds
    try await openAgain(stage)
    let bystander = Bystander(
      stage: stage, members: groups(stage.options) * 10, aside: .workoutOfLastWeek)
    let before = try await bystander.feelsAlone()
    let during = try await bystander.feels { _ = try await close(stage, isWaiting: true) }
    return [
      BenchNote(name: "longest_ms", value: found),
      BenchNote(name: "writer_p99_alone_ms", value: before.p99),
      BenchNote(name: "writer_p99_ms", value: during.p99),
      BenchNote(name: "writer_longest_ms", value: during.longest),
    ]
  }

  private func openAgain(_ stage: BenchStage) async throws {
    try await stage.script(SQL.Bench.setClosingWeekBack)
    try await stage.script(SQL.Bench.rewriteBoards)
    try await stage.settle()
  }

  /// Closes all groups and returns the duration in seconds.
  private func close(_ stage: BenchStage, isWaiting: Bool) async throws -> Double {
    let clock = try StepClock("close-week", of: stage)
    let (seconds, report) = try await clock.work(isWaiting: isWaiting)
    longest.note(clock.milliseconds)
    let groups = groups(stage.options)
    // If `isWaiting` is true, concurrent calls may lock groups, so the report may not count every
    // group.
    guard isWaiting || report["weeks closed"] == groups && report["members told"] == groups * 10
    else { throw BenchRefusal.incomplete("not every group was closed and told: \(report)") }
    return seconds
  }
}

/// The duration of the longest transaction across all rounds.
final class Longest: Sendable {
  private let value = Mutex(0.0)

  var milliseconds: Double { value.withLock { $0 } }
  func note(_ milliseconds: Double) { value.withLock { $0 = max($0, milliseconds) } }
}
