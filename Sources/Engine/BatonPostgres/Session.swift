/// A connection in one schema, whose transactions all plan in the same way.
///
/// It is created where a connection is opened, and passed on as one value, so that no transaction can forget its schema
/// or its planning.
public struct Session: Sendable {
  /// The connection of the transactions; only one user at a time may use it.
  public let connection: Connection
  /// The schema in which the transactions work.
  public let schema: Schema
  private let planning: Planning
  /// The identity of its transactions; nil: the login.
  private var identity: Identity?

  /// A session.
  ///
  /// - Parameter planning: the default suits a connection that lives long.
  public init(
    _ connection: Connection, in schema: Schema, planning: Planning = .noSequentialScan
  ) {
    self.connection = connection
    self.schema = schema
    self.planning = planning
  }

  /// The same connection and schema with free planning, for requests of people, which may need a whole table.
  public var freely: Session {
    var session = Session(connection, in: schema, planning: .free)
    session.identity = identity
    return session
  }

  /// The same connection, whose transactions act with an identity.
  public func acting(as identity: Identity) -> Session {
    var session = self
    session.identity = identity
    return session
  }

  /// Runs `body` in its own transaction at READ COMMITTED and commits it.
  ///
  /// Only this call may use the connection until it returns. An error of `body`, or a COMMIT that returns another tag
  /// than `COMMIT`, rolls everything back.
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

  /// BEGIN, the calls and COMMIT in one round trip: all calls take effect, or none.
  ///
  /// - Throws: ``PostgresError`` of the first call that the server refuses: then everything is rolled back. A result
  ///   that cannot be decoded is an error too, but one after the commit.
  @discardableResult
  public func atomically<each Output: Sendable>(
    _ calls: repeat Call<each Output>
  ) async throws(PostgresError) -> sending (repeat each Output) {
    try await connection.atomically(
      in: schema, planning: planning, as: identity, repeat each calls)
  }
}

extension Connection {
  /// One transaction with free planning, as ``Session/transaction(_:)`` runs it.
  @discardableResult
  public nonisolated func transaction<R>(
    in schema: Schema, _ body: (Transaction) async throws -> R
  ) async throws -> R {
    try await Session(self, in: schema, planning: .free).transaction(body)
  }

  /// One transaction with free planning, as ``Session/atomically(_:)`` runs it.
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

/// The plans that the server's planner may choose in a transaction.
public enum Planning: String, Sendable {
  /// The plan that it considers cheapest.
  case free = "on"
  /// An index wherever there is one.
  ///
  /// This is for statements of long-lived connections on tables that are sometimes empty and sometimes huge: a plan
  /// made for an empty table would later read the whole table.
  case noSequentialScan = "off"
}
