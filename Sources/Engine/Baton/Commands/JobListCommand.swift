import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The `baton jobs list` command, which prints a table of the jobs that the schema stores.
///
/// The command needs no job code, because all values are in the schema.
struct JobList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "List the jobs of the schema: a table, or all settings as JSON.")

  @Flag(help: "Print one JSON object per line, with all settings.")
  var json = false

  func run() async throws {
    let jobs = try await JobPage.stored()
    guard !json else { return try jobs.forEach { Console.write(try jsonLine(JobLine($0))) } }
    guard !jobs.isEmpty else {
      return Console.write("no jobs; \(Program.migrate) registers the jobs of a program")
    }
    let heading = ["JOB", "KIND", "TRIGGERED BY", "DEBOUNCE", "LAST RUN", "RUNS", "STATE"]
    for line in TextTable(heading, jobs.map(\.cells)).lines { Console.write(line) }
  }
}

/// The `baton jobs show` command, which prints all settings of one job.
struct JobShow: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a job's triggers, settings and last run.")

  @Argument(help: "The job's name.")
  var job: String

  @Flag(help: "Print a JSON object.")
  var json = false

  func run() async throws {
    guard let page = try await JobPage.stored().first(where: { $0.isNamed(job) }) else {
      throw Complaint.missingJob(job)
    }
    Console.write(json ? try jsonLine(JobLine(page)) : page.text)
  }
}

extension JobPage {
  /// Reads the jobs that the schema stores, sorted by name.
  fileprivate static func stored() async throws -> [JobPage] {
    let database = try await Database.orExit()
    var jobs: [JobPage] = []
    try await database.reportingErrors() {
      let connection = try await database.connect()
      jobs = try await Queue(Session(connection, in: database.schema)).jobs()
      await connection.close()
    }
    return jobs
  }
}

extension Complaint {
  /// The error for a job that the schema does not store.
  static func missingJob(_ job: String, place: String = "JOB") -> Complaint {
    Complaint(
      .usage, what: "There is no job '\(job)'.", place: place,
      next: "`\(Program.name) jobs` lists the jobs.")
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
  let laterNames: [String]
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
  let pausedSince, retiredSince: String?

  init(_ page: JobPage) {
    func milliseconds(_ seconds: Double) -> Int64 { Int64((seconds * 1_000).rounded()) }
    (job, program, kind) = (page.name, page.code.program, page.code.kind)
    laterNames = page.laterNames
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
    retiredSince = page.retiredSince?.secondsText
  }
}

extension JobPage {
  /// The job's row in the printed table.
  fileprivate var cells: [String?] {
    [
      title, code.kind, triggers.joined(separator: "; "), debounce == "none" ? nil : debounce,
      lastRanAt?.secondsText, "\(runsDone)", state,
    ]
  }

  /// The job's stored name, followed by its newer names in brackets if the job was renamed.
  private var title: String {
    laterNames.isEmpty ? name : "\(name) (\(laterNames.joined(separator: ", ")))"
  }

  private var state: String {
    retiredSince != nil ? "retired" : pausedSince != nil ? "paused" : "active"
  }

  /// The triggers and schedules that create runs of the job.
  private var triggers: [String] {
    topics + (code.tables ?? [])
      + schedules.map { $0.expression + ($0.timeZone.map { " \($0)" } ?? "") }
  }

  /// The job as lines of readable text.
  fileprivate var text: String {
    let ran = lastRanAt.map {
      "\($0.secondsText), \(counted(runsDone, "run")) in "
        + "\(counted(batchesDone, "batch", "batches")) so far"
    }
    return """
      \(title)
        program   \(code.program ?? "unknown")
        events    \(topics.isEmpty ? "none" : topics.joined(separator: ", "))
        tables    \(code.tables.map { $0.isEmpty ? "none" : $0.joined(separator: "; ") } ?? "unknown")
        schedule  \(schedules.isEmpty ? "none" : schedules.map(\.line).joined(separator: "; "))
        key       \(needsKey ? "required" : "optional")
        debounce  \(debounce)
        limits    \(limits.text)
        priority  \(priority)
        batch     \(batch)
        retry     \(retry)
        last ran  \(ran ?? "never")\(since("paused", pausedSince))\(since("retired", retiredSince))
      """
  }

  private func since(_ state: String, _ time: Timestamp?) -> String {
    time.map {
      "\n  \(state.padding(toLength: 9, withPad: " ", startingAt: 0)) since \($0.secondsText)"
    } ?? ""
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
    guard let attempts = code.attempts else { return "unknown" }
    guard let first = code.firstWaitSeconds, let longest = code.longestWaitSeconds else {
      return "\(counted(attempts, "attempt")), custom waits"
    }
    return "\(counted(attempts, "attempt")), \(Duration.seconds(first)) to "
      + "\(Duration.seconds(longest)) apart"
  }
}

extension JobPage.LimitsRow {
  fileprivate var text: String {
    let rate = startSeconds.map { Rate(interval: .seconds($0), burst: burst ?? 1) }
    let groupRate = groupStartSeconds.map {
      Rate(interval: .seconds($0), burst: groupBurst ?? 1)
    }
    return Limits.text(concurrency, groupConcurrency, of: group, rate, groupRate)
  }
}

extension ScheduleRow {
  fileprivate var line: String {
    (name.map { "\($0): " } ?? "") + expression + (timeZone.map { " in \($0)" } ?? "")
      + ", missed: \(missed)"
  }
}
