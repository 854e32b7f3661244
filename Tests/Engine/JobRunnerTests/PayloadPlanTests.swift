import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the plans of the statements that assign stored payloads to claimed runs.
@Suite struct PayloadPlanTests {
  /// The planner of a new session knows the parameters, but not the number of payloads.
  @Test(arguments: ["force_custom_plan", "force_generic_plan"])
  func `an assignment reads each payload of a key only a few times`(mode: String) async throws {
    try await NoteQueue.with { queue in
      let settings: Call<Void> = .run(
        Statement("test/mode \(mode)", "set local plan_cache_mode = \(mode)"))
      let token = UUID()
      for (statement, type, value) in [
        (SQL.Queue.assignPayloads, ", uuid", ", '\(token)'"), (SQL.Queue.takePayloads, "", ""),
      ] {
        let run = try await fill(queue.test, payloads: 1_000, token: token)
        let plan = try await queue.test.explain(
          statement, "text, bigint[], text[]" + type,
          "'note', array[\(run)]::bigint[], array['a']" + value,
          options: "analyze, costs off, timing off", as: settings)
        let taken = try await queue.test.sql(
          "select count(*) from run_payload where taken_by = \(run)")
        #expect(taken == ["1000"])
        let rows = try TestSchema.rows(in: plan)
        #expect(rows < 50_000, "\(statement.name) reads \(rows) rows")
      }
    }
  }

  /// An old transaction keeps the index entries of the completed payloads.
  @Test func `a claim does not read the payloads of completed runs`() async throws {
    try await NoteQueue.with { queue in
      let test = queue.test
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        select 'note', n::text, 'ready', now() - interval '1 h' + n * interval '1 us', now(), now()
        from generate_series(1, 1000) n
        """)
      try await test.sql("analyze run")
      let old = try await test.connect()
      try await old.script(
        Statement("test/old", "begin isolation level repeatable read; select now()"))
      let before = try await pagesOfClaim(test)
      try await test.sql(
        """
        insert into run_payload (id, job, key, payload)
        select n, 'note', md5(n::text), '{}' from generate_series(1, 20000) n
        """)
      try await test.sql("delete from run_payload")
      let after = try await pagesOfClaim(test)
      try await old.script(Statement("test/end", "rollback"))
      await old.close()
      #expect(after < before + 1_500, "\(before) pages before, \(after) pages after")
    }
  }

  private func pagesOfClaim(_ test: TestSchema) async throws -> Int {
    try await test.pages(
      of: SQL.Queue.claim, "text, bigint, uuid, uuid, boolean, timestamptz, bigint",
      "'note', 100, gen_random_uuid(), gen_random_uuid(), true, '-infinity', 0")
  }

  /// Replaces all runs by a running run with free payloads, and returns the run's id.
  private func fill(_ test: TestSchema, payloads: Int, token: UUID) async throws -> String {
    try await test.sql("delete from run_payload")
    try await test.sql("delete from run")
    try await test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker,
        payload, payload_event)
      values ('note', 'a', 'running', now(), now(), now(), 1, '\(token)', '\(token)', '{}',
        \(payloads))
      """)
    try await test.sql(
      """
      insert into run_payload (id, job, key, payload)
      select n, 'note', 'a', '{}' from generate_series(1, \(payloads)) n
      """)
    return try await test.sql("select id from run")[0]
  }
}
