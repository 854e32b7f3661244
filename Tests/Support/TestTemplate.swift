package import BatonPostgres
package import JobRunner

/// A template database with a migrated schema, of which test databases are copies.
///
/// Each process creates a template only once.
///
/// Copying a template takes a third of the time of the migrations. The schema has the same name in
/// all copies, because the schema's functions contain the name.
package final class TestTemplate: Sendable {
  private let name: String
  private let content: TemplateSchema

  /// Creates a template.
  ///
  /// The template database is created at the first use.
  ///
  /// - Parameters:
  ///   - name: the unique name of the template database.
  ///   - parts: the schema modules, in addition to the module of the runner.
  ///   - jobs: the jobs that are defined in the schema, with their triggers.
  package init(_ name: String, parts: [SchemaPart], jobs: [RegisteredJob] = []) {
    self.name = name
    content = TemplateSchema(TestDatabase.schema, parts: parts, jobs: jobs)
  }

  /// Runs `body` with the name of a copy, and drops the copy afterwards.
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
    // The first connection after the migrations writes a cache file of the catalog. Each copy
    // contains the cache file, so connections to a copy start without reading the catalog.
    await (try Connection.open(ConnectionConfiguration(address: address))).close()
  }
}
