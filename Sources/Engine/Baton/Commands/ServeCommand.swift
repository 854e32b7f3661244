import ArgumentParser
import BatonPostgres
import JobRunner
import Logging

/// The `baton serve` command, which runs the HTTP server.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Serve the dashboard, health, metrics and the API over HTTP; executes no runs.",
    discussion: """
      The default address is 127.0.0.1:8080; --http and BATON_SERVE_HTTP change it. The required bearer token is \
      read from the file named by BATON_HTTP_TOKEN_FILE. While PostgreSQL cannot be reached, the responses report the failure. \
      \(Program.isEngine ? "To start while PostgreSQL cannot be reached, the command needs BATON_SCHEMA. " : "")\
      SIGTERM or SIGINT ends the command with exit code 0. docs/reference/monitoring.md describes the responses.
      """)

  @OptionGroup var options: HTTPOptions
  @OptionGroup var log: LogOptions

  func run() async throws {
    let database = try await Database.orExit(for: log)
    try await database.reportingErrors(in: log.format) {
      // An invalid address never becomes valid. While a server cannot be reached, the command
      // waits.
      try database.configuration().check()
      guard let settings = try options.settings(or: .serveHTTP) else { return }
      let front = try HTTPOptions.front()
      front.prepare()
      let subject = database.subject(Program.jobs, worker: nil)
      // Signals are handled before the socket is created, so that the command can always remove the
      // socket.
      try await untilSignal {
        let answering = try await front.start(settings, about: subject, logger: log.logger)
        log.logger.noteHTTP(answering, settings)
        try? await Task.sleep(for: .seconds(1_000_000_000))
        // The server stops in a new task, because the signal has cancelled the current task.
        await Task { await answering.stop() }.value
      }.end.get()
    }
  }
}

extension Database {
  /// Returns the database description for the HTTP server: the schema, the connections and the
  /// jobs.
  ///
  /// - Parameter worked: the jobs whose table triggers must exist.
  func subject(_ worked: [RegisteredJob], worker: Worker?) -> HTTPSubject {
    let name = "\(Program.name) http"
    return HTTPSubject(
      configuration: acting(as: "dashboard", isRequired: false).configuration(
        applicationName: name),
      actions: acting(as: "operator").configuration(applicationName: name),
      dryRuns: acting(as: "worker").configuration(applicationName: name), schema: schema,
      parts: Program.parts, jobs: Program.jobs, tables: tableTriggers(of: worked),
      release: Program.release, worker: worker)
  }
}
