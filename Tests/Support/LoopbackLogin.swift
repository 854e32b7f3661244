package import BatonPostgres

/// A role that may log in over TCP, for what stands between a client and the tests' server.
package enum LoopbackLogin {
  /// The role; a superuser like the one of the socket.
  package static let user = "baton_loopback"
  /// Its password; the server listens on loopback for as long as the tests run.
  package static let password = "loopback"

  /// The address of whatever listens on a port of loopback and ends at the tests' server.
  package static func address(port: Int, database: String = "postgres") -> String {
    "postgresql://\(user):\(password)@127.0.0.1:\(port)/\(database)"
  }

  /// Makes the role on the tests' server where it is not there yet.
  ///
  /// - Throws: `PostgresError`.
  package static func make() async throws {
    try await make(at: try TestServer.address)
  }

  /// Makes the role on a server where it is not there yet.
  ///
  /// - Throws: `PostgresError`.
  package static func make(at address: String) async throws {
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    try await connection.script(
      Statement(
        "test/make_login",
        """
        do $$
        begin
          perform pg_advisory_xact_lock(4711);
          if not exists (select from pg_roles where rolname = '\(user)') then
            create role \(user) superuser login password '\(password)';
          end if;
        end $$
        """))
    await connection.close()
  }
}

extension ConnectionConfiguration {
  /// The database that the address names.
  package var database: String {
    address.firstMatch(of: /\/\/[^\/]*\/([^?]+)/).map { String($0.1) } ?? "postgres"
  }
}
