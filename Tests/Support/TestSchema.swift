import JobTesting
public import Postgres

/// A whole Baton of a test's own, on the server that the tests start.
public struct TestSchema: Sendable {
  private let test: JobTest

  /// The schema; no other test knows it.
  public var schema: Schema { test.schema }
  /// How to reach it; the server lists these connections under a name of this test alone, also
  /// those that a pooler lends it.
  public var configuration: ConnectionConfiguration {
    ConnectionConfiguration(
      address: test.configuration.address, applicationName: "of \(schema.name)")
  }

  /// Runs `body` in a schema of its own and drops it afterwards.
  ///
  /// - Parameter address: how the server is reached; by default over its socket, or as ``BothWays`` says.
  public static func with<R>(
    migrated: Bool = true, at address: String? = nil, _ body: (TestSchema) async throws -> R
  ) async throws -> R {
    let address = try address ?? BothWays.pooler?.address ?? TestServer.address
    return try await JobTest.run([], at: address, migrated: migrated) { test in
      try await body(TestSchema(test: test))
    }
  }

  /// A new connection.
  public func connect() async throws -> Connection {
    let connection = try await Connection.open(configuration)
    if let pooler = BothWays.pooler, configuration.address == pooler.address,
      await connection.isDirect
    {
      throw TestFailure("a connection behind the pooler has a server process of its own")
    }
    return connection
  }

  /// Runs one statement of the test's in the schema; returns every row as one line of text.
  @discardableResult
  public func sql(_ text: String) async throws -> [String] { try await test.sql(text) }
}

extension Connection {
  /// Runs one statement of a test's; returns every row as one line of text.
  @discardableResult
  public nonisolated func sql(_ text: String, in schema: Schema) async throws -> [String] {
    try await JobTest.sql(text, on: self, in: schema)
  }
}

/// A test that cannot go on.
public struct TestFailure: Error, CustomStringConvertible {
  /// Why.
  public let description: String

  /// A failure.
  public init(_ description: String) { self.description = description }
}
