import Foundation
import SQLFiles
import TestSupport
import Testing

@testable import JobRunner

/// How the hot statements are planned without their values, as a worker's sessions have them after a
/// while: by which index, and nothing that grows with what waits.
@Suite struct ClaimPlanTests {
  private static let types = "text, bigint, uuid, uuid, timestamptz, boolean"

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
      let plan = try await queue.test.explain(
        SQL.Queue.claim, Self.types, "'note', 500, \(token), \(token), '-infinity', true"
      ).joined(separator: "\n")
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
      let plan = try await queue.test.explain(
        SQL.Queue.endClaimed, "tid[], uuid, bigint", "array['(0,1)']::tid[], '\(UUID())', 1"
      ).joined(separator: "\n")
      #expect(plan.contains("Tid Scan on run"))
      #expect(!plan.contains("Seq Scan"))
    }
  }

  @Test func `what a claim reads does not grow with what waits`() async throws {
    func pages(_ runs: Int) async throws -> Int {
      var pages = 0
      try await NoteQueue.with { queue in
        try await fill(queue, runs)
        pages = try await queue.test.pages(
          of: SQL.Queue.claim, Self.types,
          "'note', 100, gen_random_uuid(), gen_random_uuid(), '-infinity', true")
      }
      return pages
    }
    let few = try await pages(1_000)
    let many = try await pages(30_000)
    #expect(few > 0)
    // One level more of an index, at most, for each of its descents.
    #expect(
      Double(many) <= Double(few) * 1.5, "\(few) pages with 1,000 waiting, \(many) with 30,000")
  }
}
