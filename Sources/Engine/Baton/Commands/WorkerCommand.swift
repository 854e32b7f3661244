import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner
import Logging

/// The `baton worker` command, which runs a worker.
struct WorkerCommand: AsyncParsableCommand, CheckedArguments {
  static let configuration = CommandConfiguration(
    commandName: "worker",
    abstract: "Dispatch events into runs and execute the runs; any number of workers may run.",
    discussion: """
      On SIGTERM, SIGINT or SIGHUP the worker claims no more runs, finishes or rolls back its runs, and exits \
      with 0 within 10 seconds. A second signal rolls back immediately. If the server cannot be reached, the worker \
      waits for it; with --until-idle it exits instead.
      """)

  @Flag(help: "Stop when no work is left for the jobs; exits with 1 if a run died.")
  var untilIdle = false

  @Option(
    help: """
      The names of the jobs to execute, separated by commas; default: BATON_JOBS, otherwise all jobs.
      """)
  var jobs: String?

  @Option(
    help:
      "The number of connections that execute batches; one more dispatches events. Default: BATON_CONCURRENCY, otherwise 2."
  )
  var concurrency: Int?

  @OptionGroup var httpOptions: HTTPOptions
  @OptionGroup var log: LogOptions

  func checkArguments() throws {
    guard concurrency.map((1...100).contains) != false else {
      throw ValidationError("--concurrency takes a number from 1 to 100.")
    }
  }

  func run() async throws {
    let database = try await Database.orExit(for: log).acting(as: "worker")
    try await database.reportingErrors(in: log.format) {
      let chosen = try chooseJobs()
      let executors = try executors
      let http = try httpOptions.settings(or: .workerHTTP).map {
        (settings: $0, front: try HTTPOptions.front())
      }
      http?.front.prepare()
      var options = Worker.Options(concurrency: executors)
      options.release = Program.release
      options.waitsForServer = true
      let worker = Worker(
        chosen, on: database.configuration(applicationName: "\(Program.name) worker"),
        schema: database.schema, options: options,
        logger: log.logger)
      let signals = await StopSignals.listen(for: worker)
      defer { signals.end() }
      guard let http else { return try await work(worker, chosen, executors, on: database) }
      // The HTTP server starts before the worker, so that the HTTP server can report that the
      // worker is waiting for its database.
      let answering = try await http.front.start(
        http.settings, about: database.subject(chosen, worker: worker), logger: log.logger)
      log.logger.noteHTTP(answering, http.settings)
      let end = await result { try await work(worker, chosen, executors, on: database) }
      // The HTTP server stops after the worker, so that the server can report that the worker is
      // stopping.
      await answering.stop()
      try end.get()
    }
  }

  private func result(_ body: () async throws -> Void) async -> Result<Void, any Error> {
    do { return .success(try await body()) } catch { return .failure(error) }
  }

  private func work(
    _ worker: Worker, _ chosen: [RegisteredJob], _ executors: Int, on database: Database
  ) async throws {
    let isReady = try await prepare(database, while: { !worker.isStopping }) { connection in
      let queue = Queue(Session(connection, in: database.schema))
      let isCurrent = try await queue.define(Program.jobs, of: Program.release)
      try await queue.requireNoDrift(tables: database.tableTriggers(of: chosen))
      if !isCurrent { await noteOtherRelease(connection, database) }
      if !untilIdle { await announce(chosen, executors, in: database.schema, on: connection) }
    }
    if isReady { try await work(worker) }
  }

  private func work(_ worker: Worker) async throws {
    guard untilIdle else { return try await worker.run() }
    let dead = try await worker.runUntilIdle()
    guard dead == 0 else {
      throw Complaint(
        .dead, what: "\(counted(dead, "run")) died.", place: "table dead_run",
        next:
          "Fix the cause that `\(Program.name) runs list --state dead` shows, then `\(Program.name) runs retry`."
      )
    }
  }

  private func chooseJobs() throws -> [RegisteredJob] {
    guard let jobs = try jobs ?? Settings.current.checked(.jobs) else { return Program.jobs }
    let place = self.jobs == nil ? Settings.current.place(of: .jobs) : "--jobs"
    let chosen = try jobs.split(separator: ",").map { try Program.job(named: $0, place: place) }
    guard !chosen.isEmpty else {
      throw Complaint(
        .usage, what: "No job is named.", place: "--jobs",
        next: "Name jobs of this program: \(Program.jobNames). Without --jobs, a worker executes "
          + "all jobs.")
    }
    return chosen
  }

  private var executors: Int {
    // The `concurrency` setting is never nil, because it has a default value.
    get throws { try concurrency ?? Settings.current.number(.concurrency) ?? 1 }
  }

  /// If another release of the program is current, logs that this worker uses the current release's
  /// definitions.
  private func noteOtherRelease(_ connection: Connection, _ database: Database) async {
    guard let own = Program.release,
      let current = try? await Session(connection, in: database.schema).otherRelease(than: own)
    else { return }
    log.logger.notice(
      """
      release \(current.number) of \(own.program) is current: release \(own.number) works with its definitions \
      and changes none
      """)
  }

  /// Logs one line with the schema, the login, the server, the worker's jobs, and whether the
  /// connection is encrypted.
  private func announce(
    _ jobs: [RegisteredJob], _ executors: Int, in schema: Schema, on connection: Connection
  ) async {
    let names = jobs.map(\.definition.name).joined(separator: ", ")
    let server = "\(await connection.server), \(await connection.channel)"
    log.logger.notice(
      "working schema \(schema) of \(server), in \(counted(executors, "executor")): \(names)")
    for notice in await connection.loginNotices {
      log.logger.notice("the server says at login: \(notice)")
    }
  }

  // MARK: The server

  /// Connects, and runs `body` as soon as the server can be reached and accepts writes.
  ///
  /// The worker waits for the server, because the worker and the server may start at the same time
  /// when the machine boots. After a permanent error, such as a wrong password or schema, the
  /// worker stops immediately. With `--until-idle`, the worker stops at any error, because the
  /// caller is waiting for the worker to exit.
  ///
  /// - Returns: false if the worker was stopped before `body` began.
  private func prepare(
    _ database: Database, while condition: () -> Bool,
    _ body: (Connection) async throws -> Void
  ) async throws -> Bool {
    let began = ContinuousClock.now
    let failures = FailureLog()
    var pause = ReconnectPause(upTo: .seconds(1))
    var hasFailed = false
    while condition() {
      do {
        let connection = try await database.connect()
        if hasFailed { log.logger.notice("connected to the server after \(began.seconds) s") }
        do {
          try await body(connection)
          await connection.close()
          return true
        } catch {
          await connection.close()
          throw error
        }
      } catch let error as PostgresError where !untilIdle && error.sqlState.isAbsence {
        failures.note(error, "waiting for the server of \(database)", with: log.logger)
        hasFailed = true
        try await Task.sleep(for: pause.next())
      }
    }
    return false
  }
}

extension ContinuousClock.Instant {
  /// The number of whole seconds since this instant.
  fileprivate var seconds: Int { Int(duration(to: .now) / .seconds(1)) }
}
