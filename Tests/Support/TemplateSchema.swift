import BatonPostgres
import JobRunner
import JobTesting
import Synchronization

/// The schema of a template database, with the content of the schema.
///
/// The template is created only once, even if several tests need the template concurrently.
final class TemplateSchema: Sendable {
  let schema: Schema
  private let parts: [SchemaPart]
  private let jobs: [RegisteredJob]
  private let making = Mutex<Task<Void, any Error>?>(nil)

  init(_ schema: Schema, parts: [SchemaPart], jobs: [RegisteredJob]) {
    (self.schema, self.parts, self.jobs) = (schema, parts, jobs)
  }

  var migrator: Migrator { Migrator(schema, parts: parts) }

  /// Waits until the template exists.
  ///
  /// - Parameter make: a function that creates the template. Only the function of the first caller
  ///   is called.
  func made(by make: @escaping @Sendable () async throws -> Void) async throws {
    let task = making.withLock { making in
      let task = making ?? Task { try await make() }
      making = task
      return task
    }
    try await task.value
  }

  /// Migrates the schema, defines the jobs and creates the jobs' triggers.
  func fill(_ connection: Connection, at address: String) async throws {
    _ = try await migrator.migrate(connection)
    guard !jobs.isEmpty else { return }
    try await JobTest.run(jobs, in: schema, at: address) { _ in }
    _ = try await TableTriggers(schema, of: "test", jobs: jobs).migrate(connection)
  }
}
