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
    let line = Line(configuration, logger: logger)
    let connection = try await line.connection()
    try await connection.atomically(
      in: schema, .run(SQL.Workers.register, identity.id, identity.name, true))
    let lane = Lane(context, line: line)
    _ = try await lane.workOnce(job)
    await connection.startTrace()
    _ = try await lane.workOnce(job)
    let calls = await connection.endTrace()
    try await connection.atomically(in: schema, .run(SQL.Workers.unregister, identity.id))
    await line.close()
    return calls
  }
}
