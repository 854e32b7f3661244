/// One open transaction on one connection, in one schema.
///
/// BEGIN and the search path travel with the first call, so they cost no round trip of their own.
/// The search path is set in every transaction because a pooler forgets session settings.
///
/// It ends with the task that works in it: once that is cancelled, what it waits for is ended, and what it would
/// begin is refused as if it had been. One that is begun behind the cancellation runs to its end.
public struct Transaction: Sendable {
  private let connection: Connection
  private let task = CurrentTask()

  init(_ connection: Connection) { self.connection = connection }

  /// Runs calls in one round trip.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; the transaction can then only roll back.
  @discardableResult
  public func run<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.exchange(for: task, repeat each calls)
  }

  /// Runs any number of calls of one kind.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; the transaction can then only roll back.
  @discardableResult
  public func run<Output>(_ calls: [Call<Output>]) async throws(PostgresError) -> [Output] {
    try await connection.pipeline(calls, for: task)
  }

  /// Runs the last calls and COMMIT in one round trip; nothing may be run after it.
  ///
  /// What must hold for the commit has to be checked by the calls in the server.
  ///
  /// - Throws: ``PostgresError``; everything is then rolled back.
  @discardableResult
  public func commit<each Output: Sendable>(
    after calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.commit(after: repeat each calls)
  }

  /// Runs several statements without parameters one after the other, as a migration holds them.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; the transaction can then only roll back.
  public func script(_ statement: Statement) async throws(PostgresError) {
    try await connection.runEach(of: statement, for: task)
  }
}
