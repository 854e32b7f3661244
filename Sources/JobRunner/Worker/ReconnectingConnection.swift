import Logging
import Postgres
import Synchronization

/// A connection that is opened when it is needed and again after it broke.
final class ReconnectingConnection: Sendable {
  let configuration: ConnectionConfiguration
  private let current = Mutex<Connection?>(nil)
  private let logger: Logger

  init(_ configuration: ConnectionConfiguration, logger: Logger) {
    self.configuration = configuration
    self.logger = logger
  }

  /// The connection, opened now if there is none.
  func connection() async throws(PostgresError) -> Connection {
    if let connection = current.withLock({ $0 }), await !connection.isBroken { return connection }
    let connection = try await Connection.open(configuration)
    current.withLock { $0 = connection }
    return connection
  }

  /// Waits until the server can be reached again.
  ///
  /// The pause doubles up to half a second, so that the first run comes within a second of the
  /// server accepting again, and a server that starts is not stormed.
  func reconnect(while condition: () -> Bool) async {
    var pause = Duration.milliseconds(20)
    while condition() {
      do {
        _ = try await connection()
        return
      } catch {
        logger.debug("the server cannot be reached: \(error)")
        try? await Task.sleep(for: pause * Double.random(in: 0.5...1))
        pause = min(pause * 2, .milliseconds(500))
      }
    }
  }

  /// Stops what the connection runs, from any thread.
  func cancel() { current.withLock { $0 }?.cancel() }

  func close() async {
    let connection = current.withLock { connection in
      defer { connection = nil }
      return connection
    }
    await connection?.close()
  }
}
