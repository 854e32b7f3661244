import JobRunner
import Logging
public import Postgres
import SQLFiles

/// A whole Baton of a test's own: a migrated schema on the tests' server.
public struct TestSchema: Sendable {
  /// The schema; no other test knows it.
  public let schema: Schema
  /// How to reach it.
  public let configuration: ConnectionConfiguration

  /// Runs `body` in a schema of its own and drops it afterwards.
  public static func with<R>(
    migrated: Bool = true, _ body: (TestSchema) async throws -> R
  ) async throws -> R {
    let name = "test_\(UInt64.random(in: .min ... .max))"
    guard let schema = Schema(name) else { throw TestFailure("\(name) is not a schema's name") }
    let test = TestSchema(
      schema: schema,
      configuration: ConnectionConfiguration(address: try TestServer.address))
    let connection = try await test.connect()
    if migrated { _ = try await Migrator(schema).migrate(connection) }
    let result: Result<R, any Error>
    do { result = .success(try await body(test)) } catch { result = .failure(error) }
    try await connection.script(Statement("test/drop", "drop schema if exists \(name) cascade"))
    await connection.close()
    return try result.get()
  }

  /// A new connection.
  public func connect() async throws -> Connection { try await Connection.open(configuration) }

  /// Runs one statement of the test's in the schema; returns every row as one line of text.
  @discardableResult
  public func sql(_ text: String) async throws -> [String] {
    let connection = try await connect()
    defer { Task { await connection.close() } }
    return try await connection.sql(text, in: schema)
  }
}

extension Connection {
  /// Runs one statement of a test's; returns every row as one line of text.
  @discardableResult
  public func sql(_ text: String, in schema: Schema) throws -> [String] {
    let wrapped =
      text.lowercased().hasPrefix("select") || text.lowercased().hasPrefix("with")
      ? "select trim(both '()' from q::text) from (\(text)) q"
      : text
    let call = Call.rows(Statement("test/\(wrapped.hashValue)", wrapped)) {
      (row) throws(PostgresError) in try row.decode(String.self)
    }
    return try atomically(in: schema, call)
  }
}

/// A test that cannot go on.
public struct TestFailure: Error, CustomStringConvertible {
  /// Why.
  public let description: String

  /// A failure.
  public init(_ description: String) { self.description = description }
}
