package import BatonPostgres

/// A separate database for tests that need schemas with fixed names.
package enum OwnDatabase {
  /// Runs `body` with the address of the database and a connection, and drops the database
  /// afterwards.
  package static func with(
    _ body: (_ address: String, _ connection: Connection) async throws -> Void
  ) async throws {
    let address = try TestServer.address
    let name = "own_\(UInt32.random(in: .min ... .max))"
    let own = address.replacing("@/postgres?", with: "@/\(name)?")
    guard own != address else { throw TestFailure("\(address) names no database") }
    let server = try await Connection.open(ConnectionConfiguration(address: address))
    try await server.script(Statement("test/create", "create database \(name)"))
    let connection = try await Connection.open(ConnectionConfiguration(address: own))
    try await body(own, connection)
    await connection.close()
    try await server.script(Statement("test/drop", "drop database \(name) with (force)"))
    await server.close()
  }
}
