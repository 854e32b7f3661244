package import BatonPostgres
package import Logging

/// Records the statements that claim and process one batch.
package enum CycleTrace {
  /// Claims and processes two batches of a job, and returns the statements of the second batch.
  ///
  /// The first batch prepares the statements, so the result does not include the preparation.
  ///
  /// - Throws: `PostgresError`.
  package static func run(
    _ job: RegisteredJob, on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) async throws -> [TracedCall] {
    let registration = Registration(
      of: WorkerContext([job], logger: logger), on: configuration, in: schema)
    let session = try await registration.control.session()
    try await registration.enter(on: session)
    let executor = registration.makeSharingExecutor()
    _ = try await executor.workOnce(job)
    await session.connection.startTrace()
    _ = try await executor.workOnce(job)
    let calls = await session.connection.endTrace()
    try await registration.leave(on: session)
    await executor.close()
    return calls
  }
}
