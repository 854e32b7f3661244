import BatonPostgres
import JobRunner
import JobTesting
import Synchronization

/// The schema of a template database: what it has, and that it is made once, however many tests ask for it.
final class TemplateSchema: Sendable {
  let schema: Schema
  private let parts: [SchemaPart]
  private let jobs: [RegisteredJob]
  private let making = Mutex<Task<Void, any Error>?>(nil)

  init(_ schema: Schema, parts: [SchemaPart], jobs: [RegisteredJob]) {
    (self.schema, self.parts, self.jobs) = (schema, parts, jobs)
  }

  var migrator: Migrator { Migrator(schema, parts: parts) }

  /// Waits until the template is made.
  ///
  /// - Parameter make: makes it; called for the first caller alone.
  func made(by make: @escaping @Sendable () async throws -> Void) async throws {
    let task = making.withLock { making in
      let task = making ?? Task { try await make() }
      making = task
      return task
    }
    try await task.value
  }

  /// Migrates the schema, defines the jobs and makes their triggers.
  func fill(_ connection: Connection, at address: String) async throws {
    _ = try await migrator.migrate(connection)
    guard !jobs.isEmpty else { return }
    try await JobTest.run(jobs, in: schema, at: address) { _ in }
    _ = try await TableTriggers(schema, of: "test", jobs: jobs).migrate(connection)
  }
}
