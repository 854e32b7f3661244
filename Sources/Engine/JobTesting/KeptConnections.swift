import BatonPostgres
import Synchronization

/// Connections that a test reuses for its statements.
///
/// Starting a server process for a new connection takes about thirty times as long as a statement.
/// If a statement is waiting for a lock, the next statement uses a different connection.
final class KeptConnections: Sendable {
  private let configuration: ConnectionConfiguration
  private let idle = Mutex<[Connection]>([])

  init(_ configuration: ConnectionConfiguration) { self.configuration = configuration }

  /// Executes `body` on a connection that no other call is using.
  ///
  /// If an idle connection was lost, a new connection is opened. A test can stop the server or a
  /// server process, so an idle connection can be lost.
  ///
  /// - Throws: any error that `body` throws, or `PostgresError` if no connection can be opened.
  func with<R: Sendable>(
    _ body: (Connection) async throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    if let kept = idle.withLock({ $0.popLast() }) {
      do throws(PostgresError) {
        return try await using(kept, body)
      } catch {
        guard error.sqlState.isConnectionLoss else { throw error }
      }
    }
    return try await using(try await Connection.open(configuration), body)
  }

  private func using<R: Sendable>(
    _ connection: Connection, _ body: (Connection) async throws(PostgresError) -> R
  ) async throws(PostgresError) -> R {
    do throws(PostgresError) {
      let result = try await body(connection)
      await keep(connection)
      return result
    } catch {
      await keep(connection)
      throw error
    }
  }

  private func keep(_ connection: Connection) async {
    guard !connection.isBroken else { return await connection.close() }
    idle.withLock { $0.append(connection) }
  }

  /// Closes the idle connections.
  func close() async {
    let connections = idle.withLock { idle in
      defer { idle = [] }
      return idle
    }
    for connection in connections { await connection.close() }
  }
}
