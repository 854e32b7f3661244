/// An open transaction on a connection, with its schema.
///
/// BEGIN and the search path are sent with the first call, without an additional round trip. The
/// search path is set in every transaction, because a pooler discards session settings.
///
/// If the transaction's task is cancelled, the running statement is cancelled, and every later
/// statement fails. A transaction that starts after its task was cancelled runs to completion.
public struct Transaction: Sendable {
  private let connection: Connection
  private let task = CurrentTask()

  init(_ connection: Connection) { self.connection = connection }

  /// Executes calls in one round trip.
  ///
  /// - Throws: the ``PostgresError`` from the first call that fails. After an error, the
  ///   transaction can only be rolled back.
  @discardableResult
  public func run<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.exchange(for: task, repeat each calls)
  }

  /// Executes any number of calls of the same type.
  ///
  /// - Throws: the ``PostgresError`` from the first call that fails. After an error, the
  ///   transaction can only be rolled back.
  @discardableResult
  public func run<Output>(_ calls: [Call<Output>]) async throws(PostgresError) -> [Output] {
    try await connection.pipeline(calls, for: task)
  }

  /// Executes the last calls and COMMIT in one round trip.
  ///
  /// No call may follow the COMMIT.
  ///
  /// If the commit depends on a condition, the calls themselves must check the condition on the
  /// server.
  ///
  /// - Throws: ``PostgresError``. After an error, the transaction is rolled back.
  @discardableResult
  public func commit<each Output: Sendable>(
    after calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.commit(after: repeat each calls)
  }

  /// Executes several statements without parameters one after another, for example a migration.
  ///
  /// - Throws: the ``PostgresError`` from the first statement that fails. After an error, the
  ///   transaction can only be rolled back.
  public func script(_ statement: Statement) async throws(PostgresError) {
    try await connection.runEach(of: statement, for: task)
  }
}
