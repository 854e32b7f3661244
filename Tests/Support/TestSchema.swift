package import BatonPostgres
import ChallengesSQL
import IdentitySQL
package import JobRunner
package import JobTesting

/// A whole Baton of a test's own, on the server that the tests start.
package struct TestSchema: Sendable {
  /// What `gymrats` has of a schema besides the runner's part.
  package static let parts = [SQL.identity, SQL.challenges]

  private static let template = TestTemplate("template_of_tests", parts: parts)

  private let test: JobTest
  /// What no other test has the like of: its database, or without one its schema.
  package let name: String

  /// The schema; in the databases of other tests it has the same name.
  package var schema: Schema { test.schema }
  /// How to reach it; the server lists these connections under a name of this test alone, also
  /// those that a pooler lends it.
  package var configuration: ConnectionConfiguration {
    ConnectionConfiguration(
      address: test.configuration.address, applicationName: "of \(name)")
  }

  /// Runs `body` in a database of its own and drops it afterwards.
  ///
  /// - Parameters:
  ///   - migrated: false leaves the schema out altogether, for tests of migrations.
  ///   - address: how the tests' server is reached; by default over its socket, or as ``BothWays`` says.
  package static func with<R>(
    migrated: Bool = true, at address: String? = nil, _ body: (TestSchema) async throws -> R
  ) async throws -> R {
    guard migrated else {
      let address = try address ?? BothWays.address
      return try await JobTest.run([], at: address, migrated: false) { test in
        try await body(TestSchema(test: test, name: test.schema.name))
      }
    }
    return try await withCopy(of: template, at: address) { database, address in
      try await JobTest.run([], in: TestDatabase.schema, at: address) { test in
        try await body(TestSchema(test: test, name: database))
      }
    }
  }

  /// Runs `body` with jobs in a database of its own and drops it afterwards.
  ///
  /// - Parameter template: what else is in it; nil: a whole Baton.
  package static func run<R>(
    _ jobs: [RegisteredJob], from template: TestTemplate? = nil, _ body: (JobTest) async throws -> R
  ) async throws -> R {
    try await withCopy(of: template ?? Self.template, at: nil) { _, address in
      try await JobTest.run(jobs, in: TestDatabase.schema, at: address, body)
    }
  }

  /// Runs `body` with two migrated schemas of one database.
  package static func besideEachOther<R>(
    _ body: (TestSchema, TestSchema) async throws -> R
  ) async throws -> R {
    let address = try BothWays.address
    return try await JobTest.run([], parts: parts, at: address) { one in
      try await JobTest.run([], parts: parts, at: address) { two in
        try await body(
          TestSchema(test: one, name: one.schema.name),
          TestSchema(test: two, name: two.schema.name))
      }
    }
  }

  /// Runs `body` with a schema that is there already, on whatever server; it stays.
  package static func with<R>(
    _ schema: Schema, at address: String, _ body: (TestSchema) async throws -> R
  ) async throws -> R {
    try await JobTest.run([], in: schema, at: address) { test in
      try await body(TestSchema(test: test, name: schema.name))
    }
  }

  private static func withCopy<R>(
    of template: TestTemplate, at address: String?,
    _ body: (_ database: String, _ address: String) async throws -> R
  ) async throws -> R {
    let address = try address ?? BothWays.address
    return try await template.withCopy { database in
      try await body(database, TestDatabase.address(address, of: database))
    }
  }

  /// A new connection.
  package func connect() async throws -> Connection {
    let connection = try await Connection.open(configuration)
    if let pooler = BothWays.pooler,
      configuration.address == configuration.through(pooler.address).address,
      await connection.isDirect
    {
      throw TestFailure("a connection behind the pooler has a server process of its own")
    }
    return connection
  }

  /// Runs one statement of the test's in the schema; returns every row as one line of text.
  @discardableResult
  package func sql(_ text: String) async throws -> [String] { try await test.sql(text) }
}

extension Schema {
  /// `gymrats`, which the program takes where it is told no other.
  package static let standard: Schema = {
    guard let schema = Schema("gymrats") else { preconditionFailure("it is a schema's name") }
    return schema
  }()
}

extension Connection {
  /// Runs one statement of a test's; returns every row as one line of text.
  @discardableResult
  package nonisolated func sql(_ text: String, in schema: Schema) async throws -> [String] {
    try await JobTest.sql(text, on: self, in: schema)
  }
}

/// A test that cannot go on.
package struct TestFailure: Error, CustomStringConvertible {
  /// Why.
  package let description: String

  /// A failure.
  package init(_ description: String) { self.description = description }
}
