/// A connection in one schema, whose transactions all plan in one way.
///
/// It is made where a connection is opened and handed on as one value, so that no transaction can
/// forget its schema or how it plans.
public struct Session: Sendable {
  /// What the transactions run on; must not be used by anyone else meanwhile.
  public let connection: Connection
  /// What they work in.
  public let schema: Schema
  private let planning: Planning
  /// Who its transactions act as; nil: whoever logged in.
  private var identity: Identity?

  /// A session.
  ///
  /// - Parameter planning: what suits a connection that lives long, unless it is said otherwise.
  public init(
    _ connection: Connection, in schema: Schema, planning: Planning = .noSequentialScan
  ) {
    self.connection = connection
    self.schema = schema
    self.planning = planning
  }

  /// The same connection and schema, planning freely: for what a person asks, which may want a whole
  /// table.
  public var freely: Session {
    var session = Session(connection, in: schema, planning: .free)
    session.identity = identity
    return session
  }

  /// The same connection, whose transactions act as somebody.
  public func acting(as identity: Identity) -> Session {
    var session = self
    session.identity = identity
    return session
  }

  /// Runs `body` in a transaction of its own at READ COMMITTED and commits it.
  ///
  /// The connection must not be used by anyone else until this returns. An error of `body`, or a
  /// COMMIT that answers anything but `COMMIT`, rolls all of it back.
  @discardableResult
  public func transaction<R>(
    _ body: (Transaction) async throws -> R
  ) async throws -> R {
    await connection.begin(in: schema, planning: planning, as: identity)
    do {
      let result = try await body(Transaction(connection))
      try await connection.commit()
      return result
    } catch {
      await connection.rollBack()
      throw error
    }
  }

  /// BEGIN, the calls and COMMIT in one round trip: all of them or none.
  ///
  /// - Throws: ``PostgresError`` of the first that the server refuses: then all is rolled back. An
  ///   answer that cannot be decoded is an error too, but one after the commit.
  @discardableResult
  public func atomically<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.atomically(
      in: schema, planning: planning, as: identity, repeat each calls)
  }
}

extension Connection {
  /// One transaction that plans freely, as ``Session/transaction(_:)`` runs it.
  @discardableResult
  public nonisolated func transaction<R>(
    in schema: Schema, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await Session(self, in: schema, planning: .free).transaction(body)
  }

  /// One transaction that plans freely, as ``Session/atomically(_:)`` runs it.
  @discardableResult
  public func atomically<each Output: Sendable>(
    in schema: Schema, _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    try atomically(in: schema, planning: .free, as: nil, repeat each calls)
  }

  fileprivate func atomically<each Output: Sendable>(
    in schema: Schema, planning: Planning, as identity: Identity?,
    _ calls: repeat Call<each Output>
  ) throws(PostgresError) -> sending (repeat each Output) {
    begin(in: schema, planning: planning, as: identity)
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
  case noSequentialScan = "off"
}
