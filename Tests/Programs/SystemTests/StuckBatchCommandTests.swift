import BatonPostgres
import TestSupport
import Testing

/// The findings of `doctor` about batches that do not end.
@Suite(.timeLimit(.minutes(5))) struct StuckBatchCommandTests {
  @Test(.sampled())
  func `doctor names a batch that was never sealed and a batch whose job is retired`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql("select open_batch('export-7')")
      try await schema.sql(
        """
        update batch set created_at = created_at - interval '2 days',
          changed_at = changed_at - interval '2 days'
        """)
      try await schema.sql(
        "select enqueue_batch('export-8', 'retention', '[]', batch_job => 'retention')")
      try await schema.sql("update job set retired_at = now() where name = 'retention'")
      let found = try await schema.gymrats.run("doctor")
      for warning in [
        "warning: The batch export-7 is not sealed",
        "warning: All members of the batch export-8 have ended, but its job retention is missing",
        "To end the batch without a run of its job, run `gymrats batches cancel NAME`.",
      ] {
        #expect(found.output.contains(warning), "\(found.output) \(found.errors)")
      }
      // The printed statement also works in a session with the default search_path.
      let statement = try #require(
        found.output.firstMatch(of: /run in SQL: (select [^ ]+seal_batch\('export-7'\))\./)
      ).1
      let connection = try await schema.connect()
      try await connection.script(Statement("test/printed", String(statement)))
      await connection.close()
      #expect(
        try await schema.sql("select sealed_at is not null from batch where name = 'export-7'")
          == ["t"])
    }
  }
}
