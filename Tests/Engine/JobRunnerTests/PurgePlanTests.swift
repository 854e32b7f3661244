import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// The pages that `purge-runs` reads beside an old transaction, which still sees the deleted rows.
@Suite(.timeLimit(.minutes(5))) struct PurgePlanTests {
  private static let rows = 20_000

  private func fill(_ test: TestSchema) async throws {
    try await test.sql(
      """
      insert into dead_run (id, job, key, attempt, error, died_at)
      select n, 'j', 'k' || n, 1, 'it failed', now() - interval '400 days' + n * interval '1 s'
      from generate_series(1, \(Self.rows)) n
      """)
    try await test.sql(
      """
      insert into failed_attempt (run_id, job, key, attempt, began_at, ended_at, error)
      select 1000000 + n, 'j', 'e' || n, 1, at, at, 'it failed'
      from generate_series(1, \(Self.rows)) n,
        lateral (select now() - interval '400 days' + n * interval '1 s' as at) t
      """)
    try await test.sql(
      """
      insert into sent_event (topic, key, dispatched_at)
      select 'paid', n::text, now() - interval '400 days' + n * interval '1 s'
      from generate_series(1, \(Self.rows)) n
      """)
    try await test.sql("analyze dead_run, failed_attempt, sent_event, run")
  }

  private func pages(
    _ kind: EndedRuns.Kind, from position: Int64?, _ test: TestSchema
  ) async throws -> Int {
    try await test.pages(
      of: kind.statement, "bigint, bigint", "10, \(position.map { "\($0)" } ?? "null")")
  }

  @Test(.sampled(), arguments: EndedRuns.Kind.allCases)
  func `the last rows cost as much as the first`(kind: EndedRuns.Kind) async throws {
    try await TestSchema.with { test in
      try await fill(test)
      let first = try await pages(kind, from: nil, test)
      let old = try await test.connect()
      try await old.script(
        Statement(
          "test/look",
          "begin isolation level repeatable read; select count(*) from \(test.schema.name).dead_run"
        ))
      let connection = try await test.connect()
      var (position, gone) = (Int64?.none, 0)
      while gone < Self.rows * 9 / 10 {
        let piece = try await connection.transaction(in: test.schema) { [position] in
          try await EndedRuns($0).purge(kind, limit: Self.rows / 20, from: position)
        }
        try #require(piece.deleted > 0)
        (gone, position) = (gone + piece.deleted, piece.reached)
      }
      let last = try await pages(kind, from: position, test)
      let fromFirst = try await pages(kind, from: nil, test)
      print("\(kind): pages of the first rows \(first), of the last \(last), else \(fromFirst)")
      #expect(last < first * 2)
      #expect(fromFirst > 2 * last)
      await connection.close()
      await old.close()
    }
  }

  @Test func `attempts and dead runs of one key are not compared with each other`() async throws {
    try await TestSchema.with { test in
      try await test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, earlier_ids)
        select n, 'j', 'k', 1, 'it failed', case when n % 3 > 0 then array[n + 100000] end
        from generate_series(1, 4000) n
        """)
      // One attempt of a dead run or of a run that was merged into it, and one of an ended run.
      try await test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, ended_at, error)
        select n + case when n % 3 = 1 then 100000 else 0 end, 'j', 'k', 1,
          now() - interval '20 days' + n * interval '1 s', 'it failed'
        from generate_series(1, 4001) n
        """)
      try await test.sql("analyze dead_run, failed_attempt, run")
      #expect(try await test.sql("select count(*) from expired_attempt") == ["1"])
      let lines = try await test.explain(
        EndedRuns.Kind.failedAttempts.statement, "bigint, bigint", "5000, null",
        options: "analyze, costs off, timing off")
      #expect(try TestSchema.rows(in: lines) < 200_000)
      #expect(
        try await test.sql("select count(*), max(run_id) from failed_attempt")
          == ["4000,104000"])
    }
  }
}
