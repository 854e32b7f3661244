import Logging
import Postgres
import Synchronization

/// A session whose connection is opened when it is needed and again after it broke.
final class ReconnectingSession: Sendable {
  private let configuration: ConnectionConfiguration
  private let schema: Schema
  private let current = Mutex<Session?>(nil)
  private let logger: Logger

  init(_ configuration: ConnectionConfiguration, in schema: Schema, logger: Logger) {
    self.configuration = configuration
    self.schema = schema
    self.logger = logger
  }

  /// The session, opened now if there is none.
  func session() async throws(PostgresError) -> Session {
    if let session = current.withLock({ $0 }), await !session.connection.isBroken {
      return session
    }
    let session = Session(try await Connection.open(configuration), in: schema)
    current.withLock { $0 = session }
    return session
  }

  /// The same with another connection; nothing is opened yet.
  func another() -> ReconnectingSession {
    ReconnectingSession(configuration, in: schema, logger: logger)
  }

  /// Waits until the server can be reached again.
  ///
  /// The pause doubles up to half a second, so that the first run comes within a second of the
  /// server accepting again, and a server that starts is not stormed.
  func reconnect(while condition: () -> Bool) async {
    var pause = Duration.milliseconds(20)
    while condition() {
      do {
        _ = try await session()
        return
      } catch {
        logger.debug("the server cannot be reached: \(error)")
        try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }

  /// Stops what the connection runs, from any thread.
  func cancel() { current.withLock { $0 }?.connection.cancel() }

  func close() async {
    let session = current.withLock { session in
      defer { session = nil }
      return session
    }
    await session?.connection.close()
  }
}
