package import BatonPostgres

/// A role that can log in over TCP, for tests with a proxy or a pooler in front of the tests'
/// server.
package enum LoopbackLogin {
  /// The name of the role, which is a superuser.
  package static let user = "baton_loopback"
  /// The password of the role.
  ///
  /// The server listens on the loopback interface only while the tests run.
  package static let password = "loopback"

  /// Returns the address of a proxy or a pooler that listens on a port of the loopback interface.
  package static func address(port: Int, database: String = "postgres") -> String {
    "postgresql://\(user):\(password)@127.0.0.1:\(port)/\(database)"
  }

  /// Creates the role on the tests' server if the role is missing.
  ///
  /// - Throws: `PostgresError`.
  package static func make() async throws {
    try await make(at: try TestServer.address)
  }

  /// Creates the role on a server if the role is missing.
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
  /// The name of the database in the address.
  package var database: String {
    address.firstMatch(of: /\/\/[^\/]*\/([^?]+)/).map { String($0.1) } ?? "postgres"
  }
}
