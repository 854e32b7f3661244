import Foundation
import Postgres
import SQLFiles
import TestSupport
import Testing

@testable import JobRunner

/// How the hot statements are planned without their values, as a worker's sessions have them after a
/// while: by which index, and nothing that grows with what waits.
@Suite struct ClaimPlanTests {
  /// The plan's nodes with their indexes, without costs, in order.
  private func plan(
    _ statement: Statement, _ types: String, _ values: String, in queue: NoteQueue
  ) async throws -> String {
    try await queue.connection.transaction(in: queue.test.schema, planning: .byIndex) {
      transaction in
      // BEGIN and the search path travel with the first call; a script is none.
      try await transaction.run(.count(Statement("test/enter", "select 1")))
      try await transaction.script(
        Statement("test/prepare", "prepare hot(\(types)) as \(statement.text)"))
      try await transaction.script(
        Statement("test/generic", "set local plan_cache_mode = force_generic_plan"))
      let explain = Call.rows(
        Statement("test/explain", "explain (costs off) execute hot(\(values))")
      ) {
        (row) throws(PostgresError) in try row.decode(String.self)
      }
      let lines: [String] = try await transaction.run(explain)
      return lines.joined(separator: "\n")
    }
  }

  private func fill(_ queue: NoteQueue, _ runs: Int) async throws {
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at)
      select 'note', n::text, 'ready', now() - interval '1 h' + n * interval '1 us', now(), now()
      from generate_series(1, \(runs)) n
      """)
    try await queue.test.sql("analyze run")
  }

  @Test func `a claim reads due runs in order and the rows by their place`() async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, 5_000)
      let token = "'\(UUID())'"
      let plan = try await plan(
        SQL.Queue.claim, "text, bigint, uuid, uuid, timestamptz, boolean",
        "'note', 500, \(token), \(token), '-infinity', true", in: queue)
      #expect(plan.contains("Index Scan using run_ready on run w"))
      #expect(plan.contains("Tid Scan on run r"))
      // A probe for each key, never one pass over all runs of the job.
      #expect(plan.contains("SubPlan") && plan.contains("using run_pkey on run b"))
      #expect(!plan.contains("Seq Scan") && !plan.contains("Anti Join"))
    }
  }

  @Test func `claimed runs are ended by their place`() async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, 5_000)
      let plan = try await plan(
        SQL.Queue.endClaimed, "tid[], uuid, bigint",
        "array['(0,1)']::tid[], '\(UUID())', 1", in: queue)
      #expect(plan.contains("Tid Scan on run"))
      #expect(!plan.contains("Seq Scan"))
    }
  }

  @Test func `what a claim reads does not grow with what waits`() async throws {
    func buffers(_ runs: Int) async throws -> Int {
      var read = 0
      try await NoteQueue.with { queue in
        try await fill(queue, runs)
        let lines = try await queue.connection.transaction(
          in: queue.test.schema, planning: .byIndex
        ) { transaction in
          try await transaction.run(.count(Statement("test/enter", "select 1")))
          try await transaction.script(
            Statement(
              "test/prepare",
              "prepare hot(text, bigint, uuid, uuid, timestamptz, boolean) as \(SQL.Queue.claim.text)"
            ))
          let explain = Call.rows(
            Statement(
              "test/explain",
              """
              explain (analyze, buffers, costs off, timing off)
              execute hot('note', 100, gen_random_uuid(), gen_random_uuid(), '-infinity', true)
              """)
          ) { (row) throws(PostgresError) in try row.decode(String.self) }
          let lines: [String] = try await transaction.run(explain)
          return lines
        }
        let total = lines.lazy.compactMap { $0.firstMatch(of: /Buffers: shared hit=(\d+)/)?.1 }
          .first
        read = Int(total ?? "") ?? 0
      }
      return read
    }
    let few = try await buffers(1_000)
    let many = try await buffers(30_000)
    #expect(few > 0)
    // One level more of an index, at most, for each of its descents.
    #expect(
      Double(many) <= Double(few) * 1.5, "\(few) buffers with 1,000 waiting, \(many) with 30,000")
  }
}
