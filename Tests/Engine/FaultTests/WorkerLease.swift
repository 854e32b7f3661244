import TestSupport
import Testing

/// The lease of a worker that sends no more heartbeats.
struct WorkerLease {
  private let schema: TestSchema
  private let end: String

  /// Reads the instant at which other workers may take over the effects of a stopped process, which
  /// is 18 s after the last heartbeat.
  init(of process: TestProcess, in schema: TestSchema) async throws {
    let ends = try await schema.sql(
      """
      select extract(epoch from heartbeat_at) + 18 from worker where name like '%:\(process.id)'
      """)
    self.schema = schema
    end = try #require(ends.first)
  }

  /// Returns whether the server's clock has passed the end of the lease.
  func hasEnded() async throws -> Bool {
    try await schema.sql("select extract(epoch from clock_timestamp()) > \(end)") == ["t"]
  }
}
