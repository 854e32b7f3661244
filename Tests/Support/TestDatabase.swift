import JobRunner
import Postgres
import Synchronization

/// Databases that are copies of one with a migrated schema in it: a copy costs a third of the
/// migrations.
///
/// The schema has the same name in all of them, because its functions carry it.
enum TestDatabase {
  static let schema: Schema = {
    guard let schema = Schema("baton_test") else { preconditionFailure("it is a schema's name") }
    return schema
  }()

  /// Runs `body` with the name of a database of its own and drops that afterwards.
  static func withCopy<R>(_ body: (String) async throws -> R) async throws -> R {
    let name = "test_\(UInt64.random(in: .min ... .max))"
    try await administer(
      "create database \(name) template \(try await template.value) \(strategy)")
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

  /// Made once a process.
  private static let template = Task {
    let name = "template_of_tests"
    try await administer("create database \(name)")
    let address = Self.address(try TestServer.address, of: name)
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    _ = try await Migrator(schema, parts: TestSchema.parts).migrate(connection)
    await connection.close()
    return name
  }

  private static let idle = Mutex<[Connection]>([])

  /// Runs what no transaction may hold, on a connection to the server's own database.
  private static func administer(_ text: String) async throws {
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
