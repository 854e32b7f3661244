import ArgumentParser
import BatonPostgres
import JobRunner
import Logging

/// `baton serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve", abstract: "Answer health, metrics and status by HTTP; work nothing.",
    discussion: """
      At 127.0.0.1:8080 unless --http or BATON_SERVE_HTTP says otherwise: /health/live, /health/ready, /metrics and \
      /api/status. What has to be shown stands in the file that BATON_HTTP_TOKEN_FILE names. It \
      also answers while the server cannot be reached, and says so. SIGTERM or SIGINT ends it with \
      exit code 0. docs/reference/monitoring.md has what the answers mean.
      """)

  @OptionGroup var options: HTTPOptions
  @OptionGroup var log: LogOptions

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      guard let settings = try options.settings(or: .serveHTTP) else { return }
      let front = try HTTPOptions.front()
      front.prepare()
      let subject = database.subject(Program.jobs, worker: nil)
      // From the start: a signal that comes while the socket is opened removes that too.
      try await untilSignal {
        let answering = try await front.start(settings, about: subject, logger: log.logger)
        log.logger.noteHTTP(answering, settings)
        try? await Task.sleep(for: .seconds(1_000_000_000))
        // Not in the task that the signal has cancelled.
        await Task { await answering.stop() }.value
      }.end.get()
    }
  }
}

extension Database {
  /// What HTTP tells of it.
  ///
  /// - Parameter worked: the jobs whose triggers have to be there.
  func subject(_ worked: [RegisteredJob], worker: Worker?) -> HTTPSubject {
    let name = "\(Program.name) http"
    return HTTPSubject(
      configuration: acting(as: "dashboard", isRequired: false).configuration(
        applicationName: name),
      actions: acting(as: "operator").configuration(applicationName: name),
      dryRuns: acting(as: "worker").configuration(applicationName: name), schema: schema,
      parts: Program.parts, jobs: Program.jobs, tables: tableTriggers(of: worked), worker: worker)
  }
}
