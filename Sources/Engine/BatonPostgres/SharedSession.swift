/// A connection that any number of actors share.
///
/// The first call opens the connection. The first call after a connection loss opens a new
/// connection. Each call is one transaction in one round trip, so concurrent calls are executed one
/// after another. A failed call is never retried automatically, because only the caller can decide
/// whether a retry is correct.
public actor SharedSession {
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private var session: Session?
  private var opening: Task<Connection, any Error>?

  /// Creates a session that is not yet connected.
  public init(_ configuration: ConnectionConfiguration, in schema: Schema) {
    self.configuration = configuration
    self.schema = schema
  }

  /// Executes a call in a separate transaction.
  ///
  /// - Parameter identity: the transaction's identity, or nil for the login's privileges.
  /// - Throws: `PostgresError`.
  public func atomically<Output: Sendable>(
    _ call: Call<Output>, as identity: Identity? = nil
  ) async throws -> Output {
    var session = try await connected()
    if let identity { session = session.acting(as: identity) }
    do throws(PostgresError) {
      return try await session.atomically(call)
    } catch {
      if session.connection.mustBeReplaced { forget(session.connection) }
      throw error
    }
  }

  /// Executes two calls in a separate transaction, and returns the second call's output.
  ///
  /// - Parameter identity: the transaction's identity, or nil for the login's privileges.
  /// - Throws: `PostgresError`.
  package func atomically<Output: Sendable>(
    _ first: Call<Void>, _ call: Call<Output>, as identity: Identity? = nil
  ) async throws -> Output {
    var session = try await connected()
    if let identity { session = session.acting(as: identity) }
    do throws(PostgresError) {
      let (_, output) = try await session.atomically(first, call)
      return output
    } catch {
      if session.connection.mustBeReplaced { forget(session.connection) }
      throw error
    }
  }

  /// Closes the connection.
  ///
  /// A call after `close()` opens a new connection.
  public func close() async {
    guard let connection = session?.connection else { return }
    session = nil
    await connection.close()
  }

  private func connected() async throws -> Session {
    if let session { return session }
    // All concurrent calls wait for one new connection.
    let opening = opening ?? Task { [configuration] in try await Connection.open(configuration) }
    self.opening = opening
    defer { if self.opening == opening { self.opening = nil } }
    let connection = try await opening.value
    if let session { return session }
    let session = Session(connection, in: schema)
    self.session = session
    return session
  }

  private func forget(_ connection: Connection) {
    if session?.connection === connection { session = nil }
  }
}
