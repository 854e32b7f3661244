import ArgumentParser
import BatonJobs
package import BatonPostgres
package import JobRunner
import Synchronization

/// The application that this process is.
package enum Program {
  private static let current = Mutex<(any Application.Type)?>(nil)

  static func begin(_ application: any Application.Type) {
    current.withLock { $0 = application }
  }

  static var application: any Application.Type {
    guard let application = current.withLock({ $0 }) else {
      preconditionFailure("an application begins with Application.main()")
    }
    return application
  }

  /// Whether it is `baton`, which has no code of any job.
  static var isEngine: Bool { application is any EngineApplication.Type }

  /// How to migrate, for messages: `baton` cannot.
  package static var migrate: String {
    isEngine ? "`migrate` of the program that has the jobs" : "`\(name) migrate`"
  }

  /// How to start a worker, for messages: `baton` cannot.
  package static var worker: String {
    isEngine ? "`worker` of the program that has the jobs" : "`\(name) worker`"
  }

  /// What it is called.
  package static var name: String { application.name }

  /// The schema that it works in where nobody says another: its name.
  package static var defaultSchema: Schema {
    let name = application.name.replacing("-", with: "_")
    guard let schema = Schema(name) else {
      preconditionFailure("\(name) cannot be the name of a schema: Application.name")
    }
    return schema
  }

  /// Its jobs and those of the runner; `baton` works none.
  package static var jobs: [RegisteredJob] {
    isEngine ? [] : application.jobs + RegisteredJob.ofRunner
  }

  /// What its jobs need of a schema beside the runner's part.
  package static var parts: [SchemaPart] { application.parts }

  /// Runs one of its commands, as its user would: for commands that are another one with its arguments.
  ///
  /// - Throws: what that command throws.
  package static func run(_ arguments: [String]) async throws {
    guard var command = try RootCommand.parseAsRoot(arguments) as? any AsyncParsableCommand else {
      preconditionFailure("\(arguments) is no command of the runner")
    }
    try await command.run()
  }

  /// The job of that name.
  ///
  /// - Throws: ``Complaint`` where there is none.
  package static func job(named name: some StringProtocol, place: String) throws -> RegisteredJob {
    guard let job = jobs.first(where: { $0.definition.name == name }) else {
      throw Complaint(
        .usage, what: "There is no job '\(name)'.", place: place,
        next: "`\(Program.name) jobs` lists the jobs of this binary.")
    }
    return job
  }
}
