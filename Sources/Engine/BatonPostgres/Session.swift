/// A connection with a schema, a planning mode and an optional identity.
///
/// All transactions of a session use the session's schema and planning mode.
public struct Session: Sendable {
  /// The connection on which the session's transactions run.
  ///
  /// Only one task at a time may use the connection.
  public let connection: Connection
  /// The schema in which the session's transactions run.
  public let schema: Schema
  private let planning: Planning
  /// Whether the server plans each statement only once per session.
  private var plansOnce = false
  /// The identity of the transactions, or nil for the login's privileges.
  private var identity: Identity?

  /// Creates a session.
  ///
  /// - Parameter planning: the planning mode. The default planning mode is appropriate for
  ///   long-lived connections.
  public init(
    _ connection: Connection, in schema: Schema, planning: Planning = .noSequentialScan
  ) {
    self.connection = connection
    self.schema = schema
    self.planning = planning
  }

  /// A copy of the session with the ``Planning/free`` planning mode, for users' requests that may
  /// read a whole table.
  public var freely: Session {
    var session = Session(connection, in: schema, planning: .free)
    session.identity = identity
    return session
  }

  /// A copy of the session that makes the server plan each statement only once.
  ///
  /// By default, the server plans a statement again for each of its first five executions. For a
  /// poll of a short queue, planning takes ten times as long as execution.
  package var planningOnce: Session {
    var session = self
    session.plansOnce = true
    return session
  }

  /// Returns the session with an identity for its transactions.
  public func acting(as identity: Identity) -> Session {
    var session = self
    session.identity = identity
    return session
  }

  /// Executes `body` in a separate transaction at READ COMMITTED, and commits the transaction.
  ///
  /// No other call may use the connection until this call returns. If `body` throws an error, or
  /// COMMIT returns a tag other than `COMMIT`, the transaction is rolled back.
  @discardableResult
  public func transaction<R>(
    _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await transaction(deferring: [], body)
  }

  /// Executes `body` in a transaction that begins with the given calls.
  ///
  /// The calls are sent with the first call in `body` or with COMMIT, so they do not need a
  /// separate round trip. If a deferred call fails, the first call in `body` throws the deferred
  /// call's error. The method throws a deferred call's error even if `body` ignores or replaces it.
  /// If the statement was cancelled or the connection was lost, the method throws the error from
  /// `body`, which may name the reason. Over TLS, a cancellation closes the connection.
  package func transaction<R>(
    deferring calls: [Call<Void>], _ body: (Transaction) async throws -> R
  ) async throws -> R {
    await connection.begin(
      in: schema, planning: planning, plansOnce: plansOnce, as: identity, deferring: calls)
    do {
      let result = try await body(Transaction(connection))
      try await connection.commit()
      return result
    } catch {
      await connection.rollBack()
      guard let failure = await connection.deferredFailure, failure.sqlState != .queryCanceled,
        !failure.sqlState.isConnectionLoss
      else { throw error }
      throw failure
    }
  }

  /// Executes BEGIN, the calls and COMMIT in one round trip, so that either all calls or none take
  /// effect.
  ///
  /// - Throws: the ``PostgresError`` from the first call that fails on the server. If a call fails
  ///   on the server, the transaction is rolled back. If a result cannot be decoded, the method
  ///   also throws an error, although the transaction is already committed.
  @discardableResult
  public func atomically<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.atomically(
      in: schema, planning: planning, plansOnce: plansOnce, as: identity, repeat each calls)
  }
}

extension Connection {
  /// Executes one transaction with the ``Planning/free`` planning mode, like
  /// ``Session/transaction(_:)``.
  @discardableResult
  public nonisolated func transaction<R>(
    in schema: Schema, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await Session(self, in: schema, planning: .free).transaction(body)
  }

  /// Executes one transaction with the ``Planning/free`` planning mode, like
  /// ``Session/atomically(_:)``.
  @discardableResult
  public func atomically<each Output: Sendable>(
    in schema: Schema, _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    try atomically(in: schema, planning: .free, plansOnce: false, as: nil, repeat each calls)
  }

  fileprivate func atomically<each Output: Sendable>(
    in schema: Schema, planning: Planning, plansOnce: Bool, as identity: Identity?,
    _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    begin(in: schema, planning: planning, plansOnce: plansOnce, as: identity)
    defer { rollBack() }
    return try exchange(closing: [.commit], repeat each calls)
  }
}

/// The plans that PostgreSQL's planner may choose in a transaction.
public enum Planning: String, Sendable {
  /// The planner may choose the cheapest plan.
  case free = "on"
  /// The planner must use an index if possible.
  ///
  /// The mode is for long-lived connections and tables that are sometimes empty and sometimes huge.
  /// Without this mode, a plan for an empty table would still read the whole table after the table
  /// has grown.
  case noSequentialScan = "off"
}
