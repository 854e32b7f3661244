import BatonPostgres
import JobRunner
import Synchronization

/// Databases that are copies of another, each a test's own.
enum TestDatabase {
  /// The one in all of them.
  static let schema: Schema = {
    guard let schema = Schema("baton_test") else { preconditionFailure("it is a schema's name") }
    return schema
  }()

  /// Runs `body` with the name of a copy and drops that afterwards.
  static func with<R>(
    template: String, _ body: (String) async throws -> R
  ) async throws -> R {
    let name = "test_\(UInt64.random(in: .min ... .max))"
    try await administer("create database \(name) template \(template) \(strategy)")
    let result: Result<R, any Error>
    do { result = .success(try await body(name)) } catch { result = .failure(error) }
    // By force: a pooler keeps its connections to it.
    try await administer("drop database if exists \(name) with (force)")
    return try result.get()
  }

  /// An address of the tests' server or of what stands before it, leading to another database.
  static func address(_ address: String, of database: String) -> String {
    address.replacing(/\/postgres(?=\?|$)/, with: "/\(database)", maxReplacements: 1)
  }

  /// In memory files are copied with half of the work that it takes to write a log of their pages; on disk,
  /// where a checkpoint of a busy server waits, it is the other way round.
  private static let strategy =
    "strategy \(TestPlaces.quick == TestPlaces.disk ? "wal_log" : "file_copy")"

  private static let idle = Mutex<[Connection]>([])

  /// Runs what no transaction may hold, on a connection to the server's own database.
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
