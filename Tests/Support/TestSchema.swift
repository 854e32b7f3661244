package import BatonPostgres
import ChallengesSQL
import IdentitySQL
package import JobRunner
package import JobTesting

/// A database with a complete schema for a test, on the server that the tests start.
package struct TestSchema: Sendable {
  /// The schema modules of `gymrats`, in addition to the module of the runner.
  package static let parts = [SQL.identity, SQL.challenges]

  private static let template = TestTemplate("template_of_tests", parts: parts)

  private let test: JobTest
  /// The unique name of the test's database, or of the test's schema if the test has no separate
  /// database.
  package let name: String

  /// The schema, which has the same name in the databases of other tests.
  package var schema: Schema { test.schema }
  /// The connection settings.
  ///
  /// The application name of these connections is unique to the test, even for connections through
  /// a pooler.
  package var configuration: ConnectionConfiguration {
    ConnectionConfiguration(
      address: test.configuration.address, applicationName: "of \(name)")
  }

  /// Runs `body` with a separate database, and drops the database afterwards.
  ///
  /// - Parameters:
  ///   - migrated: whether the schema is created. Tests of migrations pass false.
  ///   - address: the address of the tests' server. By default, the address is the server's socket
  ///     or the address of ``BothWays``.
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

  /// Runs `body` with jobs in a separate database, and drops the database afterwards.
  ///
  /// - Parameter template: the template of the database, or nil for a complete schema.
  package static func run<R>(
    _ jobs: [RegisteredJob], from template: TestTemplate? = nil, _ body: (JobTest) async throws -> R
  ) async throws -> R {
    try await withCopy(of: template ?? Self.template, at: nil) { _, address in
      try await JobTest.run(jobs, in: TestDatabase.schema, at: address, body)
    }
  }

  /// Runs `body` with two migrated schemas in one database.
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

  /// Runs `body` with an existing schema on any server.
  ///
  /// The schema is not dropped.
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

  /// Opens a new connection.
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

  /// Runs one statement in the schema, and returns each row as one line of text.
  @discardableResult
  package func sql(_ text: String) async throws -> [String] { try await test.sql(text) }
}

extension Schema {
  /// The default schema of the program: `gymrats`.
  package static let standard: Schema = {
    guard let schema = Schema("gymrats") else { preconditionFailure("it is a schema's name") }
    return schema
  }()
}

extension Connection {
  /// Runs one statement, and returns each row as one line of text.
  @discardableResult
  package nonisolated func sql(_ text: String, in schema: Schema) async throws -> [String] {
    try await JobTest.sql(text, on: self, in: schema)
  }
}

/// The error of a test that cannot continue.
package struct TestFailure: Error, CustomStringConvertible {
  /// The reason why the test cannot continue.
  package let description: String

  /// Creates an error from a reason.
  package init(_ description: String) { self.description = description }
}
