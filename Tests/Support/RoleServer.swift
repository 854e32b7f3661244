package import BatonPostgres
import Foundation
import PrivateServer

/// A PostgreSQL server for tests with roles, which belong to a whole cluster.
///
/// The first test with roles starts the server, and the server stops when the process ends.
///
/// The superuser is `postgres`, and every role can log in over the socket without a password.
package enum RoleServer {
  private struct Started {
    let server: PrivateServer
    let folder: TemporaryFolder
    let address: String
  }

  private static let started = Result<Started, any Error> {
    let folder = try TemporaryFolder()
    let server = PrivateServer(
      directory: folder.path + "/server",
      settings: [
        ("fsync", "off"), ("shared_buffers", "16MB"), ("log_min_messages", "fatal"),
        ("timezone", "America/New_York"),
      ])
    let running = try server.up()
    atexit { RoleServer.stop() }
    return Started(server: server, folder: folder, address: running.connectionString)
  }

  private static func stop() { try? started.get().server.destroy() }

  /// Returns the address for a login, in the form of `DATABASE_URL`.
  ///
  /// - Throws: the error that occurred when the server was started.
  package static func address(
    of role: String = "postgres", in database: String = "postgres"
  ) throws -> String {
    try started.get().address.replacing(
      "postgresql://postgres@/postgres", with: "postgresql://\(role)@/\(database)")
  }

  /// Opens a connection with a login.
  ///
  /// - Throws: `PostgresError`, or the error that occurred when the server was started.
  package static func connect(
    as role: String = "postgres", in database: String = "postgres"
  ) async throws -> Connection {
    try await Connection.open(
      ConnectionConfiguration(address: try address(of: role, in: database)))
  }

  /// Runs statements as the superuser, each in a separate transaction.
  ///
  /// Only one test at a time runs statements, because PostgreSQL refuses one of two concurrent
  /// grants on a database.
  ///
  /// - Throws: `PostgresError`.
  package static func administer(
    _ statements: String..., in database: String = "postgres"
  ) async throws {
    try await with(try await connect(in: database)) { connection in
      let turn = Statement("test/turn", "select pg_advisory_lock(4711)")
      try await connection.script(turn)
      for text in statements { try await connection.script(Statement("test/administer", text)) }
    }
  }

  /// Runs `body` with a connection, and closes the connection even if `body` throws an error.
  ///
  /// - Throws: the error of `body`.
  package static func with<R>(
    _ connection: Connection, _ body: (Connection) async throws -> R
  ) async throws -> R {
    let result: Result<R, any Error>
    do { result = .success(try await body(connection)) } catch { result = .failure(error) }
    await connection.close()
    return try result.get()
  }

  /// Returns a unique name for a schema or a role.
  package static func name(_ beginning: String) -> String {
    "\(beginning)_\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }
}
