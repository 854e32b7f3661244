public import JobRunner
import JobTesting
public import Postgres
import Synchronization

/// What databases of tests are copies of: one with a migrated schema in it, made once a process.
///
/// A copy costs a third of the migrations. The schema has the same name in all of them, because its functions carry it.
public final class TestTemplate: Sendable {
  private let name: String
  private let parts: [SchemaPart]
  private let jobs: [RegisteredJob]
  private let making = Mutex<Task<Void, any Error>?>(nil)

  /// A template that is made when it is first asked for.
  ///
  /// - Parameters:
  ///   - name: the database's, which no other template has.
  ///   - parts: what the schema has beside the runner's part.
  ///   - jobs: what is defined in it, with their triggers.
  public init(_ name: String, parts: [SchemaPart], jobs: [RegisteredJob] = []) {
    self.name = name
    self.parts = parts
    self.jobs = jobs
  }

  /// Runs `body` with the name of a copy and drops that afterwards.
  func withCopy<R>(_ body: (String) async throws -> R) async throws -> R {
    try await made()
    return try await TestDatabase.with(template: name, body)
  }

  private func made() async throws {
    let task = making.withLock { making in
      let task = making ?? Task { try await self.make() }
      making = task
      return task
    }
    try await task.value
  }

  private func make() async throws {
    try await TestDatabase.administer("create database \(name)")
    let address = TestDatabase.address(try TestServer.address, of: name)
    let connection = try await Connection.open(ConnectionConfiguration(address: address))
    _ = try await Migrator(TestDatabase.schema, parts: parts).migrate(connection)
    if !jobs.isEmpty {
      try await JobTest.run(jobs, in: TestDatabase.schema, at: address) { _ in }
      _ = try await TableTriggers(TestDatabase.schema, of: "test", jobs: jobs).migrate(connection)
    }
    await connection.close()
  }
}
