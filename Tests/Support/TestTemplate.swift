package import BatonPostgres
package import JobRunner

/// What databases of tests are copies of: one with a migrated schema in it, made once a process.
///
/// A copy costs a third of the migrations. The schema has the same name in all of them, because its functions carry it.
package final class TestTemplate: Sendable {
  private let name: String
  private let content: TemplateSchema

  /// A template that is made when it is first asked for.
  ///
  /// - Parameters:
  ///   - name: the database's, which no other template has.
  ///   - parts: what the schema has beside the runner's part.
  ///   - jobs: what is defined in it, with their triggers.
  package init(_ name: String, parts: [SchemaPart], jobs: [RegisteredJob] = []) {
    self.name = name
    content = TemplateSchema(TestDatabase.schema, parts: parts, jobs: jobs)
  }

  /// Runs `body` with the name of a copy and drops that afterwards.
  func withCopy<R>(_ body: (String) async throws -> R) async throws -> R {
    try await content.made { try await self.make() }
    return try await TestDatabase.with(template: name, body)
  }

  private func make() async throws {
    try await TestDatabase.administer("create database \(name)")
    let address = TestDatabase.address(try TestServer.address, of: name)
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    try await content.fill(connection, at: address)
    await connection.close()
    // The first connection after the migrations writes a cache file of the catalog. Each copy then has this file, and
    // its connections do not read the catalog first.
    await (try Connection.open(ConnectionConfiguration(address: address))).close()
  }
}
