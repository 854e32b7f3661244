import BatonJobs
import BatonPostgres
import Bench
import ChallengesSQL
import JobRunner
import Synchronization

/// The `rerank` benchmark, in which boards are ranked and published through the queue.
///
/// Each board has ten members and one change.
struct RerankCase: BenchCase {
  let name = "rerank"
  let unit = "boards/s"
  private static let boards = BenchSize("boards", 40_000, quick: 1_000, "boards that rerank ranks")
  private let round = Round()

  var sizes: [BenchSize] { [Self.boards] }

  func writes(_ options: BenchOptions) -> String {
    "\(counted(boards(options, 1), "board")) with 10 entries and 10 standings each, on each side"
  }

  /// Rounds the number of boards to full batches of 500 boards on each connection.
  private func boards(_ options: BenchOptions, _ connections: Int) -> Int {
    max(1, options[Self.boards] / 500 / connections) * 500 * connections
  }

  func prepare(_ stage: BenchStage) async throws {
    let boards = boards(stage.options, stage.connections)
    try await stage.define([try job(stage)])
    _ = try await stage.run(.count(SQL.Bench.makeBoards, Int64(boards / 2)))
    try await stage.run(.run(SQL.Bench.dropTriggers))
    _ = try await stage.run(.count(SQL.Bench.makeEntries))
    // All boards are published once before the measurement, so that the measured runs publish only
    // changes.
    _ = try await drain(stage, boards)
  }

  func measure(_ side: BenchSide, on stage: BenchStage) async throws -> Double {
    let boards = boards(stage.options, stage.connections)
    guard side == .raw else {
      _ = try await stage.run(.count(SQL.Bench.moveMembers, round.next()))
      return try await drain(stage, boards)
    }
    try await stage.psql("setup.sql", ["runs": 1, "boards": boards])
    let batches = boards / 500 / stage.connections
    return 500
      * (try await stage.pgbench(
        "rerank.pgbench", ["-c", "\(stage.connections)", "-t", "\(batches)"]))
  }

  private func drain(_ stage: BenchStage, _ boards: Int) async throws -> Double {
    let job = try job(stage)
    try await stage.emptyRuns()
    _ = try await stage.run(.count(SQL.Bench.fillBoardRuns, job.definition.name))
    try await stage.settle()
    return try await Drain(stage).measure(boards, of: [job])
  }

  private func job(_ stage: BenchStage) throws -> RegisteredJob {
    guard let job = stage.jobs.first(where: { $0.definition.name == "recompute-ranks" }) else {
      throw BenchRefusal.incomplete("there is no job recompute-ranks")
    }
    return job
  }

  /// The number, from 1 to 10, of the member whose value changes in the next round.
  private final class Round: Sendable {
    private let count = Mutex<Int64>(0)

    func next() -> Int64 {
      count.withLock {
        $0 += 1
        return 1 + $0 % 10
      }
    }
  }
}
