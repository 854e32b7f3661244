import BatonPostgres
import Foundation
import JobRunner
import Logging
import RandomJobs
import Synchronization

/// A worker like `gymrats worker --until-idle`, but with one of the tests' own jobs.
@main struct CrashingWorker {
  static func main() async throws {
    // Core files of processes that crash on purpose are not needed.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    let environment = ProcessInfo.processInfo.environment
    guard let address = environment["DATABASE_URL"],
      let schema = environment["BATON_SCHEMA"].flatMap({ Schema($0) })
    else { fatalError("DATABASE_URL and BATON_SCHEMA are not set") }
    let configuration = ConnectionConfiguration(address: address)
    if let plans = environment["RANDOM_JOBS"], let post = environment["POST_FILE"] {
      return try await work(plans, post: post, on: configuration, in: schema)
    }
    let folder = environment["POST_OFFICE"]
    let box = environment["POST_BOX"]
    let isMetered = environment["METERED"] != nil
    let walks = environment["WALKS"]
    let crashBox = environment["CRASH_BOX"]
    let jobs = jobs(
      folder: folder, box: box, walks: walks, crashBox: crashBox, isMetered: isMetered)
    let connection = try await Connection.open(configuration)
    try await Queue(Session(connection, in: schema)).define(jobs)
    await connection.close()
    let worker = Worker(
      jobs, on: configuration, schema: schema,
      // Only the killed run counts a crash.
      options: .init(concurrency: walks == nil ? 4 : 1),
      logger: Logger(label: "crashing-worker") { _ in
        if box != nil { return StreamLogHandler.standardError(label: "mail-worker") }
        guard let folder else { return SwiftLogNoOpLogHandler() }
        return StuckLog(folder: folder)
      })
    if folder == nil, box == nil, !isMetered {
      _ = try await worker.runUntilIdle()
    } else {
      try await worker.run()
    }
  }

  /// Returns the jobs that the environment variables request.
  private static func jobs(
    folder: String?, box: String?, walks: String?, crashBox: String?, isMetered: Bool
  ) -> [RegisteredJob] {
    let effects = { @Sendable (transaction: Transaction) in Effects(transaction: transaction) }
    if let walks {
      return [RegisteredJob(WalkJob.self) { Path(transaction: $0, folder: walks) }]
    }
    if let crashBox {
      return [RegisteredJob(CrashEffectJob.self) { _ in PostBox(file: crashBox) }]
    }
    if isMetered { return [RegisteredJob(MeteredJob.self, context: effects)] }
    if let box {
      return [
        RegisteredJob(BeatJob.self, context: effects),
        RegisteredJob(MailJob.self) { _ in PostBox(file: box) },
      ]
    }
    guard let folder else { return [RegisteredJob(CrashJob.self, context: effects)] }
    return [
      RegisteredJob(PostJob.self) { _ in PostOffice(folder: folder) },
      RegisteredJob(StepPostJob.self) { _ in PostOffice(folder: folder) },
      RegisteredJob(HoldJob.self) { _ in PostOffice(folder: folder) },
    ]
  }

  /// The number of the signal that stops the worker, or 0.
  private static let stopSignal = Atomic<Int32>(0)

  /// Processes random jobs until the process is killed, gets SIGTERM, or the test that started it
  /// has ended.
  private static func work(
    _ plans: String, post: String, on configuration: ConnectionConfiguration, in schema: Schema
  ) async throws {
    stopSignal.store(0, ordering: .relaxed)
    signal(SIGTERM) { CrashingWorker.stopSignal.store($0, ordering: .relaxed) }
    let jobs = try JSONDecoder().decode([JobPlan].self, from: Data(plans.utf8)).map {
      $0.registered(post: post)
    }
    // A stopped worker finishes some of its runs, and rolls back the others.
    let worker = Worker(
      jobs, on: configuration, schema: schema,
      options: .init(concurrency: 3, grace: .milliseconds(50)),
      logger: Logger(label: "random-worker") { label in
        var handler = StreamLogHandler.standardError(label: label)
        handler.logLevel = .notice
        return handler
      })
    let parent = getppid()
    Thread.detachNewThread {
      while getppid() == parent {
        if stopSignal.exchange(0, ordering: .relaxed) != 0 { worker.stop() }
        Thread.sleep(forTimeInterval: 0.02)
      }
      _exit(0)
    }
    try await worker.run()
  }
}
