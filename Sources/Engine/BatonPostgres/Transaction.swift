/// One open transaction on one connection, in one schema.
///
/// BEGIN and the search path are sent with the first call, so they cost no round trip of their own. The search path is
/// set in every transaction, because a pooler forgets session settings.
///
/// If the task that works in it is cancelled, its running statement is cancelled, and every later statement is refused
/// with the same error. A transaction that begins after the cancellation runs to its end.
public struct Transaction: Sendable {
  private let connection: Connection
  private let task = CurrentTask()

  init(_ connection: Connection) { self.connection = connection }

  /// Runs calls in one round trip.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; after that the transaction can only be rolled back.
  @discardableResult
  public func run<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.exchange(for: task, repeat each calls)
  }

  /// Runs any number of calls of one kind.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; after that the transaction can only be rolled back.
  @discardableResult
  public func run<Output>(_ calls: [Call<Output>]) async throws(PostgresError) -> [Output] {
    try await connection.pipeline(calls, for: task)
  }

  /// Runs the last calls and COMMIT in one round trip; no call may follow.
  ///
  /// Conditions of the commit must be checked in the server, by the calls themselves.
  ///
  /// - Throws: ``PostgresError``; everything is then rolled back.
  @discardableResult
  public func commit<each Output: Sendable>(
    after calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.commit(after: repeat each calls)
  }

  /// Runs several statements without parameters one after the other, like a migration.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; after that the transaction can only be rolled back.
  public func script(_ statement: Statement) async throws(PostgresError) {
    try await connection.runEach(of: statement, for: task)
  }
}
