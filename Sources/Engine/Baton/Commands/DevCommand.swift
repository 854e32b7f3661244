import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner
import Logging
import PrivateServer

/// The `baton dev` command, which runs jobs during development.
struct DevCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dev",
    abstract: "For job developers: a private server, a worker, and a clock that can be moved.",
    subcommands: [Work.self, DevClockCommand.self], defaultSubcommand: Work.self)

  /// The `baton dev work` command, the default command of `baton dev`.
  struct Work: AsyncParsableCommand, CheckedArguments {
    static let configuration = CommandConfiguration(
      abstract: "Start the private server, migrate, and run a worker until Ctrl-C. The default.",
      discussion: """
        The schema becomes a development schema, whose clock `\(Program.name) dev clock` moves. A schema with other \
        data is refused. Ctrl-C stops the worker. It also stops the server if this command started it and no other \
        client is connected.
        """)

    @Option(help: "The number of connections that execute batches; one more dispatches events.")
    var concurrency = 2

    @Flag(name: .shortAndLong, help: "Log debug messages.")
    var verbose = false

    func checkArguments() throws {
      guard (1...100).contains(concurrency) else {
        throw ValidationError("--concurrency takes a number from 1 to 100.")
      }
    }

    func run() async throws {
      try await Complaint.reportingErrors {
        let server = try DevelopmentServer.up()
        PeopleLog.say(
          "PostgreSQL \(server.running.version), DATABASE_URL='\(server.running.connectionString)'")
        let result: Result<Void, any Error>
        do {
          result = .success(try await work(on: server.database))
        } catch {
          result = .failure(error)
        }
        PeopleLog.say(try await server.end())
        try result.get()
      }
    }

    private func work(on database: Database) async throws {
      let worker = Worker(
        Program.jobs, on: database.configuration(applicationName: "\(Program.name) dev"),
        schema: database.schema, options: options, logger: logger)
      let signals = await StopSignals.listen(for: worker)
      defer { signals.end() }
      try await prepare(database)
      PeopleLog.say(
        "working \(Program.jobs.map(\.definition.name).joined(separator: ", ")); Ctrl-C ends it")
      try await worker.run()
    }

    private var options: Worker.Options {
      var options = Worker.Options(concurrency: concurrency)
      options.watch = PeopleLog.watch
      return options
    }

    private var logger: Logger {
      var handler = PeopleLogHandler()
      handler.logLevel = verbose ? .debug : .info
      return Logger(label: Program.name) { [handler] _ in handler }
    }

    // MARK: The schema

    /// Creates a development schema or uses the existing schema, and migrates the schema to this
    /// binary's version.
    private func prepare(_ database: Database) async throws {
      let connection = try await Connection.open(database.configuration())
      let session = Session(connection, in: database.schema)
      let clock = DevelopmentClock(session)
      let dataCheck = Program.application.dataCheck
      let migrator = database.migrator
      // `clock.check` rejects a production schema with data, so it must run before the migration.
      if try await isThere(migrator, connection) { try await clock.check(dataCheck: dataCheck) }
      // A developer may switch to an older branch, so an older release may also become current.
      let outcome = try await migrator.migrate(connection, takesOver: true)
      for name in outcome.migrations { PeopleLog.say("applied \(name)") }
      if !outcome.objects.isEmpty {
        PeopleLog.say(
          "made \(counted(outcome.objects.count, "function, view or trigger", "functions, views and triggers"))"
        )
      }
      try await clock.begin(dataCheck: dataCheck)
      // A schedule starts when its job is defined, so the jobs are defined after `clock.begin`.
      let queue = Queue(session)
      try await queue.define(Program.jobs, of: Program.release)
      let tables = database.tableTriggers(of: Program.jobs)
      _ = try await tables.migrate(connection)
      try await queue.requireNoDrift(tables: tables)
      PeopleLog.say(
        "schema \(database.schema), clock \(DevClockCommand.text(of: try await clock.read()))")
      await connection.close()
    }

    private func isThere(_ migrator: Migrator, _ connection: Connection) async throws -> Bool {
      do {
        try await migrator.check(connection)
      } catch SchemaProblem.missing {
        return false
      } catch SchemaProblem.older, SchemaProblem.notCurrent {
        return true
      }
      return true
    }
  }
}
