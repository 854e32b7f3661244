import BatonJobs
import Foundation
import JobRunner
import Logging

/// Readable log lines about attempts, which the `dev` command writes to stderr.
///
/// ```
/// 20:11:02  tell-warehouse 1, 2, 3: begin
/// 20:11:02  tell-warehouse 1, 2, 3: end in 117 ms, picking 3 inserted
/// ```
enum PeopleLog {
  /// The maximum number of keys that one line lists for a batch.
  private static let mostKeys = 3

  /// A watcher that writes a line at the start and at the end of each attempt.
  static var watch: WorkWatch {
    WorkWatch(
      began: { say("\(name(of: $0)): begin") },
      ended: { work, end, took in say("\(name(of: work)): \(text(of: end, work, took))") })
  }

  /// Writes a line that starts with the time of day.
  static func say(_ line: String) {
    let time = Date.now.formatted(
      Date.VerbatimFormatStyle(
        format:
          "\(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\(second: .twoDigits)",
        timeZone: .current, calendar: .current))
    Console.complain("\(time)  \(line.replacing("\n", with: "\n          "))\n")
  }

  /// Returns the job, the runs' keys, and the schedule occurrence that created the runs.
  static func name(of work: WorkWatch.Work) -> String {
    var keys = work.keys.prefix(mostKeys).joined(separator: ", ")
    if work.keys.count > mostKeys { keys += " and \(work.keys.count - mostKeys) more" }
    let occurrence = work.payload?.firstMatch(of: /"scheduled_at": ?"([^"]+)"/)
    guard work.keys.count == 1, let occurrence else { return "\(work.job) \(keys)" }
    return "\(work.job) of \(occurrence.1)"
  }

  /// Returns an attempt's result as text.
  static func text(
    of end: WorkWatch.End, _ work: WorkWatch.Work, _ took: Duration
  ) -> String {
    let time = "in \(Int(took / .milliseconds(1))) ms"
    let attempt = "attempt \(work.attempt) of \(work.attempts)"
    switch end {
    case .done(let report, let changes):
      let parts = [report.isEmpty ? "" : "\(report)"] + changes.map { text(of: $0) }
      return (["end \(time)"] + parts.filter { !$0.isEmpty }).joined(separator: ", ")
    case .released(_, _, true): return "failed \(time), again in smaller batches"
    case .released(let snooze as Snooze, let wait, _):
      return "not yet\(snooze.reason.map { ": \($0)" } ?? ""), again in \(seconds(wait))"
    // The worker's log already contains the error that released the runs.
    case .released(_, .zero, _): return "released \(time)"
    case .released(_, let wait, _): return "failed \(time), \(attempt), again in \(seconds(wait))"
    case .dead:
      return "dead \(time), \(attempt); `\(Program.name) runs list --state dead` has it"
    case .cancelled: return "cancelled \(time)"
    case .lost: return "taken over by another worker"
    }
  }

  private static func text(of change: InlineRunner.Change) -> String {
    let counts = [
      (change.inserted, "inserted"), (change.updated, "updated"), (change.deleted, "deleted"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    return "\(change.table) \(words.joined(separator: ", "))"
  }

  private static func seconds(_ wait: Duration) -> String {
    wait.formatted(.units(allowed: [.hours, .minutes, .seconds, .milliseconds], width: .narrow))
  }
}

/// A log handler for the worker and its jobs, which writes lines in the format of ``PeopleLog``.
struct PeopleLogHandler: LogHandler {
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.info

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    let all = metadata.merging(event.metadata ?? [:]) { $1 }
    // Only log lines that a job writes contain the job's name.
    let job = all["job"].map { "\($0) \(all["key"].map { "\($0)" } ?? ""): " } ?? ""
    let rest = all.filter { !["job", "key", "run", "runs", "attempt", "worker"].contains($0.key) }
      .sorted { $0.key < $1.key }
      .map { " \($0.key.loggedField)=\("\($0.value)".loggedField)" }.joined()
    PeopleLog.say("\(event.level): \(job)\(event.message)\(rest)")
  }
}
