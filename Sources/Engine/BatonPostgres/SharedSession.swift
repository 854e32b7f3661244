/// One connection for the calls of any number of actors; the first call opens it, also after it was lost.
///
/// Each call is one transaction in one round trip, so calls that arrive together take turns. A failed call is never
/// retried automatically: its caller gets the error and decides.
public actor SharedSession {
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private var session: Session?
  private var opening: Task<Connection, any Error>?

  /// A session that is not connected yet.
  public init(_ configuration: ConnectionConfiguration, in schema: Schema) {
    self.configuration = configuration
    self.schema = schema
  }

  /// Makes a call in its own transaction.
  ///
  /// - Parameter identity: the identity of the transaction; nil: the login.
  /// - Throws: `PostgresError`.
  public func atomically<Output: Sendable>(
    _ call: Call<Output>, as identity: Identity? = nil
  ) async throws -> Output {
    var session = try await connected()
    if let identity { session = session.acting(as: identity) }
    do throws(PostgresError) {
      return try await session.atomically(call)
    } catch {
      if await session.connection.isBroken { forget(session.connection) }
      throw error
    }
  }

  /// Closes the connection; a later call opens another.
  public func close() async {
    guard let connection = session?.connection else { return }
    session = nil
    await connection.close()
  }

  private func connected() async throws -> Session {
    if let session { return session }
    // A call that arrives meanwhile waits for the same connection.
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
