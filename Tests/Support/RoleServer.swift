package import BatonPostgres
import Foundation
import PrivateServer

/// A PostgreSQL for tests of roles, which are a whole cluster's: started by the first of them, gone with the process.
///
/// Its own superuser is `postgres`; everybody logs in without a password over its socket.
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

  /// What `DATABASE_URL` would be for somebody who logs in.
  ///
  /// - Throws: what starting the server met.
  package static func address(
    of role: String = "postgres", in database: String = "postgres"
  ) throws -> String {
    try started.get().address.replacing(
      "postgresql://postgres@/postgres", with: "postgresql://\(role)@/\(database)")
  }

  /// A connection of somebody who logs in.
  ///
  /// - Throws: `PostgresError`, and what starting the server met.
  package static func connect(
    as role: String = "postgres", in database: String = "postgres"
  ) async throws -> Connection {
    try await Connection.open(
      ConnectionConfiguration(address: try address(of: role, in: database)))
  }

  /// Runs statements of the superuser's, each by itself, one test after the other: of two grants on the
  /// database at a time PostgreSQL refuses one.
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

  /// Does something on a connection, and closes it however that ends.
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

  /// A name that no other test has, for a schema or a role.
  package static func name(_ beginning: String) -> String {
    "\(beginning)_\(String(UInt64.random(in: .min ... .max), radix: 36))"
  }
}
