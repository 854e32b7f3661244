import ArgumentParser
import BatonJobs
package import BatonPostgres
package import JobRunner
import Synchronization

/// The program that this process runs.
package enum Program {
  private static let current = Mutex<(any Application.Type)?>(nil)

  static func begin(_ application: any Application.Type) {
    current.withLock { $0 = application }
    let names = jobs.flatMap { [$0.definition.name] + $0.definition.aliases }
    let twice = Dictionary(grouping: names) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
    precondition(twice.isEmpty, "\(name): several jobs have or had the same name: \(twice)")
  }

  static var application: any Application.Type {
    guard let application = current.withLock({ $0 }) else {
      preconditionFailure("an application begins with Application.main()")
    }
    return application
  }

  /// Whether the program is `baton`, which contains no job code.
  static var isEngine: Bool { application is any EngineApplication.Type }

  /// The command that migrates the schema, for messages.
  ///
  /// `baton` cannot migrate a schema, so its messages refer to the program that has the jobs.
  package static var migrate: String {
    isEngine ? "`migrate` of the program that has the jobs" : "`\(name) migrate`"
  }

  /// The command that starts a worker, for messages.
  ///
  /// `baton` cannot run a worker, so its messages refer to the program that has the jobs.
  package static var worker: String {
    isEngine ? "`worker` of the program that has the jobs" : "`\(name) worker`"
  }

  /// The program's name.
  package static var name: String { application.name }

  /// The default schema, which has the program's name with `_` instead of `-`.
  package static var defaultSchema: Schema {
    let name = application.name.replacing("-", with: "_")
    guard let schema = Schema(name) else {
      preconditionFailure("\(name) cannot be the name of a schema: Application.name")
    }
    return schema
  }

  /// The program's jobs and Baton's own jobs, or an empty list for `baton`.
  package static var jobs: [RegisteredJob] {
    isEngine ? [] : application.jobs + RegisteredJob.ofRunner
  }

  /// The program's release, or nil for `baton`, which writes no definitions.
  package static var release: ProgramRelease? {
    isEngine
      ? nil : ProgramRelease(program: name, number: application.release, jobs: jobs)
  }

  /// The schema modules that the jobs need in addition to Baton's modules.
  package static var parts: [SchemaPart] { application.parts }

  /// Runs the given command of the program.
  ///
  /// For example, a program can add the `mail send` command, which runs the `run send-mail`
  /// command.
  ///
  /// - Throws: any error that the given command throws.
  package static func run(_ arguments: [String]) async throws {
    guard var command = try RootCommand.parseAsRoot(arguments) as? any AsyncParsableCommand else {
      preconditionFailure("\(arguments) is no command of the runner")
    }
    try await command.run()
  }

  /// Returns the program's job with the given name.
  ///
  /// - Throws: ``Complaint`` if the job does not exist.
  package static func job(named name: some StringProtocol, place: String) throws -> RegisteredJob {
    guard let job = jobs.first(where: { $0.definition.isNamed(name) }) else {
      throw Complaint(
        .usage, what: "There is no job '\(name)'.", place: place,
        next: "Name a job of this program: \(jobNames).")
    }
    return job
  }

  /// The names of the program's jobs, for messages.
  ///
  /// The `jobs` command lists the schema's jobs, which can differ from the program's jobs.
  static var jobNames: String { jobs.map(\.definition.name).joined(separator: ", ") }
}
