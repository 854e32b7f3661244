public import Logging
public import Postgres
import RunnerSQL

/// One claim and its work, statement by statement.
public enum CycleTrace {
  /// Claims and works two batches of a job and tells what the second one sent: the first prepares
  /// the statements.
  ///
  /// - Throws: `PostgresError`.
  public static func run(
    _ job: RegisteredJob, on configuration: ConnectionConfiguration, schema: Schema,
    logger: Logger
  ) async throws -> [TracedCall] {
    let context = WorkerContext([job], in: schema, logger: logger)
    let identity = context.identity
    let reconnecting = ReconnectingConnection(configuration, logger: logger)
    let connection = try await reconnecting.connection()
    try await connection.atomically(
      in: schema, .run(SQL.Workers.register, identity.id, identity.name, true))
    let executor = RunExecutor(context, on: reconnecting)
    _ = try await executor.workOnce(job)
    await connection.startTrace()
    _ = try await executor.workOnce(job)
    let calls = await connection.endTrace()
    try await connection.atomically(in: schema, .run(SQL.Workers.unregister, identity.id))
    await reconnecting.close()
    return calls
  }
}
