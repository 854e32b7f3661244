import BatonPostgres
import TestSupport

/// Runs `body` with a connection to the tests' server and closes it.
func withConnection<R>(_ body: (Connection) async throws -> R) async throws -> R {
  let connection = try await Connection.open(
    ConnectionConfiguration(address: try TestServer.address))
  do {
    let result = try await body(connection)
    await connection.close()
    return result
  } catch {
    await connection.close()
    throw error
  }
}

/// Runs `body` with two empty schemas and a connection, and drops them.
func withSchemas<R>(_ body: (Connection, Schema, Schema) async throws -> R) async throws -> R {
  let number = UInt64.random(in: .min ... .max)
  guard let one = Schema("one_\(number)"), let two = Schema("two_\(number)") else {
    throw TestFailure("\(number) makes no schema's name")
  }
  return try await withConnection { connection in
    try await connection.script(
      Statement("test/make", "create schema \(one.name); create schema \(two.name)"))
    let result: Result<R, any Error>
    do { result = .success(try await body(connection, one, two)) } catch {
      result = .failure(error)
    }
    try await withConnection { other in
      try await other.script(
        Statement("test/drop", "drop schema \(one.name) cascade; drop schema \(two.name) cascade"))
    }
    return try result.get()
  }
}

extension Call {
  /// Returns a statement of a test that reads one value.
  static func value<each P: PostgresEncodable>(
    _ text: String, _ parameters: repeat each P, as type: Output.Type = Output.self
  ) -> Call where Output: PostgresDecodable {
    .row(Statement("test/\(text)", text), repeat each parameters) { (row) throws(PostgresError) in
      try row.decode(Output.self)
    }
  }
}

extension Call where Output == Void {
  /// Returns a statement of a test whose result is ignored.
  static func execute<each P: PostgresEncodable>(
    _ text: String, _ parameters: repeat each P
  ) -> Call {
    .run(Statement("test/\(text)", text), repeat each parameters)
  }
}
