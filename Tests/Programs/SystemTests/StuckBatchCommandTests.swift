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
      ] {
        #expect(found.output.contains(warning), "\(found.output) \(found.errors)")
      }
    }
  }
}
