/// One open transaction on one connection, in one schema.
///
/// BEGIN and the search path travel with the first call, so they cost no round trip of their own.
/// The search path is set in every transaction because a pooler forgets session settings.
public struct Transaction: Sendable {
  private let connection: Connection

  fileprivate init(_ connection: Connection) { self.connection = connection }

  /// Runs calls in one round trip.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; the transaction can then only roll back.
  @discardableResult
  public func run<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.pipeline(repeat each calls)
  }

  /// Runs any number of calls of one kind.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; the transaction can then only roll back.
  @discardableResult
  public func run<Output>(_ calls: [Call<Output>]) async throws(PostgresError) -> [Output] {
    try await connection.pipeline(calls)
  }

  /// Runs a last call and COMMIT in one round trip; nothing may be run after it.
  ///
  /// What must hold for the commit has to be checked by the call in the server.
  ///
  /// - Throws: ``PostgresError``; everything is then rolled back.
  public func commit(after call: Call<Void>) async throws(PostgresError) {
    try await connection.commit(after: call)
  }

  /// Runs several statements without parameters one after the other, as a migration holds them.
  ///
  /// - Throws: ``PostgresError`` of the first that fails; the transaction can then only roll back.
  public func script(_ statement: Statement) async throws(PostgresError) {
    try await connection.runEach(of: statement)
  }
}

extension Connection {
  /// Runs `body` in a transaction of its own at READ COMMITTED and commits it.
  ///
  /// The connection must not be used by anyone else until this returns. An error of `body`, or a
  /// COMMIT that answers anything but `COMMIT`, rolls all of it back.
  @discardableResult
  public nonisolated func transaction<R>(
    in schema: Schema, planning: Planning = .free, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    await begin(in: schema, planning: planning)
    do {
      let result = try await body(Transaction(self))
      try await commit()
      return result
    } catch {
      await rollBack()
      throw error
    }
  }

  /// BEGIN, the calls and COMMIT in one round trip: all of them or none.
  ///
  /// - Throws: ``PostgresError`` of the first that the server refuses: then all is rolled back. An
  ///   answer that cannot be decoded is an error too, but one after the commit.
  @discardableResult
  public func atomically<each Output: Sendable>(
    in schema: Schema, planning: Planning = .free, _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    begin(in: schema, planning: planning)
    defer { rollBack() }
    return try exchange(closing: [.commit], repeat each calls)
  }
}

/// What the server's planner may choose from in a transaction.
public enum Planning: String, Sendable {
  /// Whatever it thinks is cheapest.
  case free = "on"
  /// Indexes wherever there is one: for statements of long-lived connections on tables that are
  /// now empty and now huge. A plan made on an empty table would read all of it later.
  /// Without JIT, which the high cost of a forbidden path would set off.
  case noSequentialScan = "off"
}
