import BatonPostgres
import JobRunner
import Synchronization

/// Databases for tests, each of which is a copy of a template database.
enum TestDatabase {
  /// The schema, which has the same name in all copies.
  static let schema: Schema = {
    guard let schema = Schema("baton_test") else { preconditionFailure("it is a schema's name") }
    return schema
  }()

  /// Runs `body` with the name of a copy, and drops the copy afterwards.
  static func with<R>(
    template: String, _ body: (String) async throws -> R
  ) async throws -> R {
    let name = "test_\(UInt64.random(in: .min ... .max))"
    try await administer("create database \(name) template \(template) \(strategy)")
    let result: Result<R, any Error>
    do { result = .success(try await body(name)) } catch { result = .failure(error) }
    // The database is dropped with force, because a pooler keeps its connections open.
    try await administer("drop database if exists \(name) with (force)")
    return try result.get()
  }

  /// Returns an address of the tests' server, of a proxy or of a pooler, with another database.
  static func address(_ address: String, of database: String) -> String {
    address.replacing(/\/postgres(?=\?|$)/, with: "/\(database)", maxReplacements: 1)
  }

  /// The strategy for copying a database.
  ///
  /// In memory, copying files needs half the work of writing the pages to the WAL. On a disk,
  /// copying files is slower, because a checkpoint takes a long time on a busy server.
  static let strategy =
    "strategy \(TestPlaces.quick == TestPlaces.disk ? "wal_log" : "file_copy")"

  private static let idle = Mutex<[Connection]>([])

  /// Runs a statement outside of a transaction, on a connection to the server's default database.
  static func administer(_ text: String) async throws {
    let kept = idle.withLock { $0.popLast() }
    let connection: Connection
    if let kept {
      connection = kept
    } else {
      connection = try await .open(ConnectionConfiguration(address: try TestServer.address))
    }
    do {
      try await connection.script(Statement("test/administer", text))
      idle.withLock { $0.append(connection) }
    } catch {
      await connection.close()
      throw error
    }
  }
}
