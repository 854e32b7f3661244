import ArgumentParser
import Foundation
import JobRunner
import Logging
import Postgres
import ServiceLifecycle
import UnixSignals

/// `baton worker`.
struct WorkerCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "worker", abstract: "Fold events and work runs, beside any number of others.",
    discussion: """
      SIGTERM or SIGINT: nothing more is claimed, what is in progress ends or is rolled back, and \
      the exit code is 0 within 10 seconds.
      """)

  @Flag(help: "Stop when nothing is left for anybody; exit 1 if there are dead runs.")
  var untilIdle = false

  @Option(help: "The jobs to work, by name and separated by commas; all others are left alone.")
  var jobs: String?

  @Option(help: "Connections that work batches; one more folds.")
  var concurrency = 2

  @OptionGroup var log: LogOptions

  func validate() throws {
    guard (1...100).contains(concurrency) else {
      throw ValidationError("--concurrency takes a number from 1 to 100.")
    }
  }

  func run() async throws {
    let database = try Database.orExit()
    try await complaining(about: database) {
      let chosen = try chooseJobs()
      let connection = try await database.connect()
      let queue = Queue(connection, schema: database.schema)
      try await queue.define(RegisteredJob.all)
      try await queue.requireNoGaps()
      await connection.close()
      let worker = Worker(
        chosen, on: database.configuration(applicationName: "baton worker"),
        schema: database.schema, options: Worker.Options(concurrency: concurrency),
        logger: log.logger)
      let service = WorkerService(worker: worker, untilIdle: untilIdle)
      try await runUntilSignal(service)
      let dead = await service.dead.count
      guard dead == 0 else {
        throw Complaint(
          .dead, what: dead == 1 ? "1 run is dead." : "\(dead) runs are dead.",
          place: "table dead_run",
          next: "Read their errors there and mend the cause.")
      }
    }
  }

  private func chooseJobs() throws -> [RegisteredJob] {
    guard let jobs else { return RegisteredJob.all }
    let chosen = try jobs.split(separator: ",").map {
      try RegisteredJob.named($0, place: "--jobs")
    }
    // A worker of nothing would never be idle where anything is to do.
    guard !chosen.isEmpty else {
      throw Complaint(
        .usage, what: "No job is named.", place: "--jobs",
        next: "`baton jobs` lists them; without --jobs a worker works all.")
    }
    return chosen
  }

  private func runUntilSignal(_ service: WorkerService) async throws {
    let configuration = ServiceGroupConfiguration(
      services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
      gracefulShutdownSignals: [.sigterm, .sigint], logger: log.logger)
    try await ServiceGroup(configuration: configuration).run()
  }
}

/// The worker as a service: a signal becomes a stop.
private struct WorkerService: Service {
  /// Dead letters found at the end of `--until-idle`.
  actor Dead {
    var count = 0
    func set(_ count: Int) { self.count = count }
  }

  let worker: Worker
  let untilIdle: Bool
  let dead = Dead()

  func run() async throws {
    try await withGracefulShutdownHandler {
      if untilIdle {
        await dead.set(try await worker.runUntilIdle())
      } else {
        try await worker.run()
      }
    } onGracefulShutdown: {
      worker.stop()
      // A job that ignores its cancellation must not hold the process: the server rolls back.
      Thread.detachNewThread {
        Thread.sleep(forTimeInterval: 9.5)
        exit(ExitStatus.tryAgain.rawValue)
      }
    }
  }
}
