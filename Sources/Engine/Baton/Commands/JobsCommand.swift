import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// `baton jobs`: what is defined.
struct JobsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "jobs", abstract: "List the jobs, pause and resume them.",
    subcommands: [JobList.self, Pause.self, Resume.self], defaultSubcommand: JobList.self)

  /// `baton jobs pause`.
  struct Pause: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Let no worker claim a job's runs; events are folded all the same.")

    @Argument(help: "The job's name.")
    var job: String

    func run() async throws { try await JobsCommand.setPaused(true, job) }
  }

  /// `baton jobs resume`.
  struct Resume: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Let workers claim them again.")

    @Argument(help: "The job's name.")
    var job: String

    func run() async throws { try await JobsCommand.setPaused(false, job) }
  }

  fileprivate static func setPaused(_ isPaused: Bool, _ job: String) async throws {
    try await withQueue { queue in
      guard try await queue.setPaused(isPaused, job: job) else {
        throw Complaint(
          .usage, what: "There is no job '\(job)'.", place: "JOB",
          next: "`\(Program.name) jobs` lists the jobs.")
      }
      Console.write("\(job) is \(isPaused ? "paused" : "resumed")")
    }
  }
}

/// `baton jobs list`.
struct JobList: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the jobs: what wakes them, how they run, when they ran.")

  @Flag(help: "One JSON object a line.")
  var json = false

  func run() async throws {
    let database = try Database.orExit()
    try await database.reportingErrors() {
      let connection = try await database.connect()
      let activity = try await Queue(Session(connection, in: database.schema)).activity()
      for job in Program.jobs {
        let definition = job.definition
        let done = activity[definition.name]
        Console.write(json ? try line(definition, done) : text(definition, done))
      }
      await connection.close()
    }
  }

  private func text(_ job: JobDefinition, _ done: JobActivity?) -> String {
    let ran = done?.lastRanAt.map {
      "\($0), \(counted(done?.runs ?? 0, "run")) in \(counted(done?.batches ?? 0, "batch", "batches")) so far"
    }
    return """
      \(job.name)
        events    \(job.topics.isEmpty ? "none" : job.topics.map(\.name).joined(separator: ", "))
        tables    \(job.tables.isEmpty ? "none" : job.tables.map(text).joined(separator: ", "))
        schedule  \(job.schedules.isEmpty ? "none" : job.schedules.map(text).joined(separator: "; "))
        debounce  \(job.debounce == .none ? "none" : text(job.debounce))
        limits    \(job.limits)
        priority  \(job.priority)
        batch     \(counted(job.batch, "run")), \(job.timeout) at most a statement
        retry     \(counted(job.retry.attempts, "attempt")), \(job.retry.first) to \
      \(job.retry.longest) apart
        last ran  \(ran ?? "never")\(done?.pausedSince.map { "\n  paused    since \($0)" } ?? "")
      """
  }

  private func text(_ trigger: TableTrigger) -> String {
    let writes = trigger.operations.map { operation in
      operation.kind.rawValue
        + (operation.columns.isEmpty ? "" : " of \(operation.columns.joined(separator: " "))")
    }
    return "\(trigger.name) by \(trigger.key): \(writes.joined(separator: ", "))"
  }

  private func text(_ debounce: Debounce) -> String {
    debounce.every.map { "every \($0), the first at once" }
      ?? "quiet \(debounce.quiet), at most \(debounce.atMost)"
  }

  private func text(_ named: JobSchedule) -> String {
    let schedule = named.schedule
    return (named.name.map { "\($0): " } ?? "") + schedule.expression
      + (schedule.timeZone.map { " in \($0)" } ?? "") + ", missed: \(schedule.missed)"
  }

  private func line(_ job: JobDefinition, _ done: JobActivity?) throws -> String {
    struct ScheduleLine: Encodable {
      let name: String?
      let expression: String
      let timeZone: String?
    }
    struct Line: Encodable {
      let job: String
      let topics: [String]
      let tables: [String]
      let quietMs: Int64
      let atMostMs: Int64
      let everyMs: Int64?
      let limits: String
      let priority: Int
      let batch: Int
      let attempts: Int
      let schedules: [ScheduleLine]
      let lastRanAt: String?
      let runs: Int64
      let batches: Int64
      let pausedSince: String?
    }
    return try jsonLine(
      Line(
        job: job.name, topics: job.topics.map(\.name), tables: job.tables.map(\.name),
        quietMs: Int64(job.debounce.quiet / .milliseconds(1)),
        atMostMs: Int64(job.debounce.atMost / .milliseconds(1)),
        everyMs: job.debounce.every.map { Int64($0 / .milliseconds(1)) },
        limits: "\(job.limits)", priority: job.priority, batch: job.batch,
        attempts: job.retry.attempts,
        schedules: job.schedules.map {
          ScheduleLine(
            name: $0.name, expression: $0.schedule.expression, timeZone: $0.schedule.timeZone)
        }, lastRanAt: done?.lastRanAt, runs: done?.runs ?? 0,
        batches: done?.batches ?? 0, pausedSince: done?.pausedSince))
  }
}
