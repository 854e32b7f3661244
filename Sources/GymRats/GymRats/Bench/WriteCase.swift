import BatonJobs
import BatonPostgres
import Bench
import ChallengesSQL
import JobRunner

/// The `write-*` benchmarks, which measure how much the queue slows down a user's write.
///
/// The `record_workout` SQL function is called with and without the triggers that record events.
struct WriteCase: BenchCase {
  let name: String
  let unit = "calls/s"
  let connections = 4
  /// The number of boards that workouts are written to, or nil to use the number from the options.
  let boards: Int?
  let membersPerGroup: Int

  static let spread = WriteCase(name: "write-spread", boards: nil, membersPerGroup: 2)
  static let hot = WriteCase(name: "write-hot", boards: 10, membersPerGroup: 200)

  private func groups(_ options: BenchOptions) -> Int { (boards ?? options[spreadBoards]) / 2 }
  private func members(_ options: BenchOptions) -> Int { groups(options) * membersPerGroup }

  var sizes: [BenchSize] { [spreadBoards] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(groups(options), "group")), \(counted(members(options), "member")), "
      + "and a workout for each call in "
      + "\(options.pairs * 2) x \(options.seconds) s"
  }

  func prepare(_ stage: BenchStage) async throws {
    try await stage.people(
      groups: groups(stage.options), members: members(stage.options))
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    try await stage.run(
      .run(side == .ours ? SQL.Bench.restoreTriggers : SQL.Bench.dropTriggers))
    try await stage.emptyRuns()
    try await stage.settle()
    return try await stage.pgbench(
      "write.pgbench", text: SQL.challengesScripts["write.pgbench"],
      [
        "-M", "prepared", "-c", "\(stage.connections)", "-T", "\(stage.options.seconds)",
        "-D", "users=\(members(stage.options))",
      ])
  }
}

extension BenchStage {
  /// Creates groups, members and one workout for each member.
  func people(groups: Int, members: Int) async throws {
    _ = try await run(.count(SQL.Bench.makeBoards, Int64(groups)))
    _ = try await run(.count(SQL.Bench.makeMembers, Int64(members), Int64(groups)))
    try await settle()
    _ = try await run(.count(SQL.Bench.recordFirst))
    try await settle()
  }
}

/// The number of boards to which workouts are written in the benchmarks `write-spread` and
/// `visible`.
let spreadBoards = BenchSize(
  "spread-boards", 20_000, quick: 200, "boards that write-spread and visible write to")
