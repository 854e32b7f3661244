import BatonPostgres
import Foundation
import TestSupport
import Testing

/// A job with a stored state, whose workers are killed at the boundaries of its steps.
@Suite(.timeLimit(.minutes(5))) struct WalkTests {
  /// A full test uses all boundaries.
  private static let boundaries =
    TestSize.isFull
    ? (1...20).flatMap { ["before-\($0)", "after-\($0)"] }
    : ["before-1", "after-1", "before-12", "after-19"]

  @Test(.sampled()) func `a kill at a boundary of two steps repeats no step and loses none`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      try await schema.sql("create table walked (run bigint, key text, position integer)")
      #expect(try await life(schema, folder) == 0)
      let ids = try await schema.sql(
        "select enqueue('walk', k) from unnest(array['\(Self.boundaries.joined(separator: "','"))']) k"
      )
      try await withThrowingTaskGroup { group in
        for _ in 1...2 {
          group.addTask {
            for _ in 0...Self.boundaries.count {
              if try await life(schema, folder) == 0 { return }
            }
            throw TestFailure("the worker is killed more often than there are boundaries")
          }
        }
        try await group.waitForAll()
      }
      // After the last commit, no boundary remains at which the run could be killed.
      let kills = try FileManager.default.contentsOfDirectory(atPath: folder.path).count
      #expect(kills == Self.boundaries.filter { $0 != "after-20" }.count)
      #expect(
        try await schema.sql(
          """
          select count(*), count(distinct (run, position)), count(distinct run) from walked
          """) == ["\(ids.count * 20),\(ids.count * 20),\(ids.count)"])
      #expect(
        try await schema.sql(
          """
          select (select count(*) from run), (select count(*) from dead_run), (select count(*) from run_checkpoint),
            (select count(*) from run_history where outcome = 'done' and report ->> 'steps' = '20'
              and id in (select run from walked))
          """) == ["0,0,0,\(ids.count)"])
    }
  }

  /// Runs a worker that a supervisor would start, and returns its exit status.
  private func life(_ schema: TestSchema, _ folder: TemporaryFolder) async throws -> Int32 {
    try await TestProcess(
      try BatonProgram.path(of: "CrashingWorker"), [],
      environment: BatonProgram.inherited.merging([
        "DATABASE_URL": schema.configuration.address, "BATON_SCHEMA": schema.schema.name,
        "WALKS": folder.path,
      ]) { $1 }, directory: "/"
    ).wait(within: .seconds(60)).status
  }
}
