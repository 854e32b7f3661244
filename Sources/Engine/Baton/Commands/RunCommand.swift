import ArgumentParser
import BatonJobs
import BatonPostgres
import Foundation
import JobRunner

/// The `baton run` command, which runs a job in this process.
struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "run",
    abstract: "Execute runs of a job in this process; workers may run at the same time.",
    discussion: """
      With --key, the command executes the run with this key, regardless of debounce, backoff and pause. Without \
      --key, a job with a schedule fires its due occurrences and executes their shared run, even if it is not due. \
      A job without a schedule executes its due runs. \
      If another process is executing the run, the command waits up to 10 s. --dry-run executes the run in a \
      transaction, prints the changes, and rolls back. On SIGTERM or SIGINT the run is released, at the latest \
      after the current step. Each `run` without --dry-run adds a row to the audit log.
      """)

  @Argument(help: "The name of a job of this program.")
  var job: String

  @Option(help: "The key of one run.")
  var key: String?

  @Flag(help: "Print what would change, and change nothing.")
  var dryRun = false

  @Flag(help: "Print one JSON object.")
  var json = false

  @OptionGroup var log: LogOptions

  func run() async throws {
    let database = try await Database.orExit(for: log).acting(as: "worker")
    try await database.reportingErrors(in: log.format) {
      let registered = try Program.job(named: job, place: "JOB")
      if let key { try checkKey(key) }
      if dryRun && registered.definition.isEffect { throw NoDryRun(job: job) }
      let connection = try await database.connect()
      let session = Session(connection, in: database.schema)
      let queue = Queue(session)
      if !dryRun { try await queue.define([registered], of: Program.release?.ofSomeJobs) }
      if key == nil { try await requireUnpaused(queue) }
      if !dryRun { try await record(registered, queue, session) }
      await connection.close()
      let inlineRunner = InlineRunner(
        registered, on: database.configuration(applicationName: "\(Program.name) run"),
        schema: database.schema, logger: log.logger)
      let schedules = try await inlineRunner.activeSchedules
      if dryRun {
        try await dryRun(inlineRunner, registered, schedules)
      } else {
        // After a signal, the command stops the run cleanly, because a killed run would count as a
        // crash.
        let (end, _) = await untilSignal(isLimited: true) {
          try await work(inlineRunner, schedules)
        }
        try answer(end.get())
      }
    }
  }

  /// Throws an error if the job is paused.
  ///
  /// If `--key` is omitted, the command claims runs like a worker, and a worker does not claim runs
  /// of a paused job.
  private func requireUnpaused(_ queue: Queue) async throws {
    guard let since = try await queue.activity()[queue.storedName(of: job)]?.pausedSince else {
      return
    }
    if json { Console.write(line("paused")) }
    throw Complaint(
      .tryAgain, what: "The job is paused since \(since).", place: job,
      next:
        "`\(Program.name) jobs resume \(job)` resumes the job; with --key, one run is executed nevertheless."
    )
  }

  /// Records in the audit log that the job is run manually.
  ///
  /// The audit entry is written before the run starts, so that a killed run also has an audit
  /// entry.
  private func record(_ registered: RegisteredJob, _ queue: Queue, _ session: Session) async throws
  {
    // A run with a rejected key must not appear in the audit log, so the key is checked first.
    if let key {
      try await queue.requireRun(key, of: registered.definition)
      try await check(key, of: registered, queue)
    }
    var subject: [String: AuditValue] = ["job": .text(registered.definition.name)]
    subject["key"] = key.map { .text($0) }
    try await session.record(AuditEntry("run", subject))
  }

  /// Throws an error if the job cannot decode the payload of the run with this key.
  ///
  /// If no run with this key is ready, the command executes a new run without a payload, unless the
  /// job needs a payload. If no run with this key is ready and the job needs a payload, the method
  /// throws an error. The error message names the dead run with this key, if one exists.
  private func check(_ key: String, of registered: RegisteredJob, _ queue: Queue) async throws {
    do {
      try await queue.check(registered, key: key, payload: nil)
    } catch let error as UnreadableRun where error.isOfPayload {
      var search = RunSearch()
      (search.job, search.key, search.state) = (error.job, key, "ready")
      guard try await queue.runs(search, limit: 1).isEmpty else { throw error }
      search.state = "dead"
      throw withoutRun(error, dead: try await queue.runs(search, limit: 1).first)
    }
  }

  /// Returns the error message for a job that needs a payload and has no ready run with this key.
  private func withoutRun(_ error: UnreadableRun, dead: ListedRun?) -> Complaint {
    guard let dead else {
      return Complaint(
        .usage, what: "No run of \(job) with this key is ready, and a new run needs a payload.",
        place: "--key \(error.key)",
        next: "Nothing was done: \(error.reason). `\(Program.name) enqueue \(job) --key KEY "
          + "--payload JSON` enqueues a run. The run is ready after a worker has dispatched its event."
      )
    }
    return Complaint(
      .usage, what: "No run of \(job) with this key is ready, and run \(dead.id) is dead.",
      place: "--key \(error.key)",
      next: "Nothing was done. `\(Program.name) runs show \(dead.id)` prints the errors of run "
        + "\(dead.id). `\(Program.name) runs retry \(dead.id)` makes run \(dead.id) ready again, "
        + "with its payload.")
  }

  private func work(
    _ inlineRunner: InlineRunner, _ schedules: [JobSchedule]
  ) async throws -> InlineRunner.Result {
    let line = ProgressLine(of: job)
    defer { line.end() }
    if let key { return try await inlineRunner.work(key: key) { line.show($0) } }
    if !schedules.isEmpty {
      return try await inlineRunner.workSchedule { line.show($0) }
    }
    return try await inlineRunner.workDue { line.show($0) }
  }

  private func answer(_ result: InlineRunner.Result) throws {
    if json { Console.write(line(result)) }
    switch result {
    case .done(let runs, let report):
      guard !json else { return }
      let isNothing = runs == 0 || !report.isEmpty && report.isAllZero
      let done = report.isEmpty ? "\(counted(runs, "run")) done" : "\(report)"
      Console.write("\(job): \(isNothing ? "nothing to do" : done)")
    case .alreadyRunning:
      throw Complaint(
        .tryAgain, what: "The run is already running.",
        place: "\(job), key \(key ?? Schedule.sharedKey)",
        next:
          "Gave up after 10 s. Try again when the run has ended or, if the job has limits, when they allow another "
          + "run; `\(Program.name) runs list` lists running runs."
      )
    case .snoozed(let wait, let reason):
      throw Complaint(
        .tryAgain, what: "The job was snoozed\(reason.map { ": \($0)" } ?? "").",
        place: job, next: "The run is due again in \(wait); a worker then executes the run.")
    case .stopped:
      throw Complaint(
        .tryAgain, what: "The run was stopped and released.", place: job,
        next: "Committed steps are kept. A worker continues the run, or repeat this command.")
    case .interrupted(let error):
      throw Complaint(
        .tryAgain, what: "The run was interrupted: \(error)", place: job,
        next: "Run the command again in a moment; otherwise, a worker continues the run. The "
          + "interrupted attempt does not count.")
    case .takenOver:
      throw Complaint(
        .tryAgain, what: "Another worker has taken over the run.", place: job,
        next: "The other worker executes the run; `\(Program.name) runs list` shows its state.")
    case .cancelled:
      throw Complaint(
        .dead, what: "The run was cancelled, and its uncommitted writes were rolled back.",
        place: job,
        next: "An operator used `\(Program.name) runs cancel`. This command enqueues a new run.")
    case .failed(let error):
      throw Complaint(
        .dead, what: "The run failed and was rolled back: \(error)", place: job,
        next: "The run is retried as the job defines; `\(Program.name) runs list` shows when.")
    case .dead(let error):
      throw Complaint(
        .dead, what: "The run is dead: \(error)", place: job,
        next: "Fix the cause; `\(Program.name) runs retry` makes the run ready again.")
    }
  }

  private func line(_ result: InlineRunner.Result) -> String {
    let (name, runs, report): (String, Int, Report) =
      switch result {
      case .done(let runs, let report):
        (runs == 0 || !report.isEmpty && report.isAllZero ? "nothing" : "done", runs, report)
      case .alreadyRunning: ("running", 0, [:])
      case .snoozed: ("snoozed", 0, [:])
      case .stopped: ("stopped", 0, [:])
      case .interrupted: ("interrupted", 0, [:])
      case .takenOver: ("taken-over", 0, [:])
      case .cancelled: ("cancelled", 0, [:])
      case .failed: ("retrying", 0, [:])
      case .dead: ("dead", 0, [:])
      }
    return line(name, runs, report)
  }

  private func line(_ result: String, _ runs: Int = 0, _ report: Report = [:]) -> String {
    #"{"job":"\#(job)","result":"\#(result)","runs":\#(runs),"report":\#(report.json)}"#
  }

  // MARK: Dry run

  private func dryRun(
    _ inlineRunner: InlineRunner, _ registered: RegisteredJob, _ schedules: [JobSchedule]
  ) async throws {
    if let removals = try await inlineRunner.removals(key: key) { return try show(removals) }
    let sharedKeys = schedules.compactMap(\.sharedKey)
    guard key != nil || schedules.count <= 1 else {
      throw Complaint(
        .usage, what: "\(job) has several schedules.", place: "--dry-run",
        next: "Nothing was done. Select one run: --key \(sharedKeys.first ?? "KEY").")
    }
    let outcome = try await inlineRunner.dryRun(key: key ?? sharedKeys.first) { transaction, keys in
      try await registered.shows?(transaction, keys)
    }
    guard let outcome else {
      Console.write(json ? line("nothing") : "\(job): nothing to do")
      return
    }
    if json {
      let changes = outcome.changes.map {
        #"{"table":"\#($0.table)","inserted":\#($0.inserted),"updated":\#($0.updated),"#
          + #""deleted":\#($0.deleted)}"#
      }
      Console.write(
        #"{"job":"\#(job)","result":"dry-run","runs":\#(outcome.keys.count),"#
          + #""report":\#(outcome.report.json),"#
          + #""changes":[\#(changes.joined(separator: ","))]}"#)
      return
    }
    let runs = counted(outcome.keys.count, "run")
    let report = outcome.report.isEmpty ? "" : "; \(outcome.report)"
    Console.write("\(job): \(runs)\(report); nothing was changed. The run would write:")
    for change in outcome.changes {
      Console.write(
        "  \(change.table): \(change.inserted) inserted, \(change.updated) updated, "
          + "\(change.deleted) deleted")
    }
    guard outcome.before != nil || outcome.after != nil else { return }
    Console.write(
      "\nbefore\n\(outcome.before ?? "nothing\n")\nafter\n\(outcome.after ?? "nothing\n")")
  }

  private func show(_ removals: [Removal]) throws {
    guard !json else {
      let lines = try removals.map { try jsonLine($0) }
      return Console.write(
        #"{"job":"\#(job)","result":"dry-run","removals":[\#(lines.joined(separator: ","))]}"#)
    }
    guard !removals.isEmpty else { return Console.write("\(job): nothing to do") }
    Console.write("\(job): nothing was changed. The run would remove:")
    for removal in removals {
      let ages = [removal.oldest, removal.newest].compactMap(\.self).joined(separator: " to ")
      Console.write("  \(removal.table): \(counted(removal.rows, "row")), \(ages)")
    }
  }

  private func checkKey(_ key: String) throws {
    guard isKey(key) else {
      throw Complaint(
        .usage, what: "A key has 1 to 256 bytes and no control characters.", place: "--key",
        next: "Give the key of one run, in the job's format.")
    }
  }
}

/// Returns whether a string is a valid run key according to the rules of the `enqueue` SQL
/// function.
func isKey(_ text: String) -> Bool {
  (1...256).contains(text.utf8.count) && !text.utf8.contains { $0 < 32 || $0 == 127 }
}
