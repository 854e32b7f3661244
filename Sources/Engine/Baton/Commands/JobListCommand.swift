import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The command `baton jobs list`, which prints the jobs as the schema stores them.
///
/// The command therefore needs no job code.
struct JobList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the jobs of the schema with their triggers, settings and last run.")

  @Flag(help: "Print one JSON object per line.")
  var json = false

  func run() async throws {
    let database = try await Database.orExit()
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let jobs = try await Queue(Session(connection, in: database.schema)).jobs()
      for job in jobs { Console.write(json ? try jsonLine(JobLine(job)) : job.text) }
      if jobs.isEmpty, !json {
        Console.write("no jobs; \(Program.migrate) stores those of a program")
      }
      await connection.close()
    }
  }
}

/// The JSON object that `--json` prints for a job.
private struct JobLine: Encodable {
  struct Schedule: Encodable {
    let name: String?
    let expression: String
    let timeZone: String?
  }

  let job: String
  let program, kind: String?
  let topics, tables: [String]
  let quietMs, atMostMs: Int64
  let everyMs: Int64?
  let limits: String
  let priority: Int
  let batch, attempts: Int?
  let timeoutMs, firstWaitMs, longestWaitMs: Int64?
  let schedules: [Schedule]
  let lastRanAt: String?
  let runs, batches: Int64
  let pausedSince: String?

  init(_ page: JobPage) {
    func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000).rounded()) }
    (job, program, kind) = (page.name, page.code.program, page.code.kind)
    (topics, tables) = (page.topics, page.code.tables ?? [])
    (quietMs, atMostMs) = (milliseconds(page.quietSeconds), milliseconds(page.atMostSeconds))
    everyMs = page.everySeconds.map(milliseconds)
    (limits, priority) = (page.limits.text, page.priority)
    (batch, attempts) = (page.code.batch, page.code.attempts)
    timeoutMs = page.code.timeoutSeconds.map(milliseconds)
    firstWaitMs = page.code.firstWaitSeconds.map(milliseconds)
    longestWaitMs = page.code.longestWaitSeconds.map(milliseconds)
    schedules = page.schedules.map {
      Schedule(name: $0.name, expression: $0.expression, timeZone: $0.timeZone)
    }
    lastRanAt = page.lastRanAt?.secondsText
    (runs, batches) = (page.runsDone, page.batchesDone)
    pausedSince = page.pausedSince?.secondsText
  }
}

extension JobPage {
  /// The job as lines of readable text.
  fileprivate var text: String {
    let ran = lastRanAt.map {
      "\($0.secondsText), \(counted(runsDone, "run")) in "
        + "\(counted(batchesDone, "batch", "batches")) so far"
    }
    return """
      \(name)
        program   \(code.program ?? "unknown")
        events    \(topics.isEmpty ? "none" : topics.joined(separator: ", "))
        tables    \(code.tables.map { $0.isEmpty ? "none" : $0.joined(separator: "; ") } ?? "unknown")
        schedule  \(schedules.isEmpty ? "none" : schedules.map(\.line).joined(separator: "; "))
        debounce  \(debounce)
        limits    \(limits.text)
        priority  \(priority)
        batch     \(batch)
        retry     \(retry)
        last ran  \(ran ?? "never")\(pausedSince.map { "\n  paused    since \($0.secondsText)" } ?? "")
      """
  }

  private var debounce: String {
    if let everySeconds { return "every \(Duration.seconds(everySeconds)), the first at once" }
    guard atMostSeconds > 0 else { return "none" }
    return "quiet \(Duration.seconds(quietSeconds)), at most \(Duration.seconds(atMostSeconds))"
  }

  private var batch: String {
    guard let timeout = code.timeoutSeconds.map({ Duration.seconds($0) }) else { return "unknown" }
    if let atOnce = code.effectConcurrency {
      return "none, \(counted(atOnce, "effect")) at once, \(timeout) at most each"
    }
    return "\(counted(code.batch ?? 1, "run")), \(timeout) at most a statement"
  }

  private var retry: String {
    guard let attempts = code.attempts, let first = code.firstWaitSeconds,
      let longest = code.longestWaitSeconds
    else { return "unknown" }
    return "\(counted(attempts, "attempt")), \(Duration.seconds(first)) to "
      + "\(Duration.seconds(longest)) apart"
  }
}

extension JobPage.LimitsRow {
  fileprivate var text: String {
    let rate = startSeconds.map { Rate(interval: .seconds($0), burst: burst ?? 1) }
    return Limits.text(concurrency, groupConcurrency, of: group, rate)
  }
}

extension ScheduleRow {
  fileprivate var line: String {
    (name.map { "\($0): " } ?? "") + expression + (timeZone.map { " in \($0)" } ?? "")
      + ", missed: \(missed)"
  }
}

extension Timestamp {
  /// The date in ISO 8601 and UTC, with a precision of seconds.
  fileprivate var secondsText: String { date.formatted(.iso8601) }
}
