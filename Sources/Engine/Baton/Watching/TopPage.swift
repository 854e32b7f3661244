import BatonJobs
import BatonPostgres
import JobRunner

/// The text that `top` shows for one observation.
struct TopPage {
  let observation: Observation
  let rates: TopRates
  let findings: [Finding]
  /// The reason why no newer observation is available, or nil if the observation is current.
  let lost: String?

  // MARK: On a terminal

  /// The lines of the screen, with problems first, because the last lines might not fit on the
  /// screen.
  var lines: [String] {
    let word = lost.map { "NOT CONNECTED: \($0)" } ?? findings.word
    return [
      "\(Program.name) top  \(observation.at.isoText.prefix(19))Z  \(word)", server, work, "",
    ]
      + findings.filter { $0.severity > .note }.prefix(4).map { "\($0.severity): \($0.what)" }
      + table + [""] + tables + ["", "q: quit"]
  }

  private var server: String {
    let alive = observation.workers.count { !$0.isLost }
    let lost = observation.workers.count - alive
    let oldest =
      observation.oldestTransaction.map { "\($0.seconds.duration), process \($0.pid)" } ?? "none"
    return "workers \(alive)\(lost > 0 ? " (\(lost) lost)" : "")   "
      + "connections \(observation.connections.used) of \(observation.connections.allowed)   "
      + "oldest transaction \(oldest)\(observation.isOldestTransactionSeen ? "" : " of those seen")"
  }

  private var work: String {
    let waits = observation.folding.oldestUnfoldedSeconds.map { ", for \($0.duration)" } ?? ""
    return "runs \(text(rates.done))/s done   events \(text(rates.events))/s   "
      + "event backlog \(observation.folding.events.text)\(waits)"
  }

  private var table: [String] {
    let width = max(8, observation.jobs.map(\.name.count).max() ?? 0)
    let head = row(
      "JOB", width, ["READY", "RUNNING", "LATER", "RETRYING", "DEAD", "DUE FOR", "WRITE", "DONE/S"])
    return [head]
      + observation.jobs.map { job in
        row(
          job.name, width,
          [
            short(job.ready), short(job.running), short(job.delayed), short(job.retrying),
            short(job.dead),
            job.oldestDueSeconds?.duration ?? "-",
            job.oldestUnfinishedWriteSeconds?.duration ?? "-", text(rates.done(of: job.name)),
          ]) + (job.isPaused ? "  paused" : "")
      }
  }

  private var tables: [String] {
    let width = max(8, observation.tables.map(\.name.count).max() ?? 0)
    return [row("TABLE", width, ["ROWS", "DEAD", "MB"])]
      + observation.tables.map {
        row($0.name, width, ["\($0.rows)", "\($0.deadRows)", "\($0.bytes / 1_048_576)"])
      }
  }

  private func row(_ name: String, _ width: Int, _ columns: [String]) -> String {
    name + String(repeating: " ", count: width - name.count)
      + columns.map { String(repeating: " ", count: max(1, 10 - $0.count)) + $0 }.joined()
  }

  private func short(_ count: Count) -> String {
    count.isEstimate ? "~\(count.value)" : "\(count.value)"
  }

  private func text(_ rate: Double?) -> String {
    rate.map { $0 < 100 ? "\(($0 * 10).rounded() / 10)" : "\(Int64(bounded: $0))" } ?? "-"
  }

  // MARK: Elsewhere

  /// The observation as one line, for a file or a pipe.
  var line: String {
    func sum(_ path: KeyPath<JobObservation, Count>) -> Int {
      observation.jobs.reduce(0) { $0 + $1[keyPath: path].value }
    }
    let oldest = observation.jobs.compactMap(\.oldestUnfinishedWriteSeconds).max()
    return "\(observation.at.isoText) \(findings.word.lowercased()) ready=\(sum(\.ready)) "
      + "running=\(sum(\.running)) later=\(sum(\.delayed)) "
      + "retrying=\(sum(\.retrying)) dead=\(sum(\.dead)) "
      + "events=\(observation.folding.events.value) done/s=\(text(rates.done)) "
      + "events/s=\(text(rates.events)) write=\(oldest.map { "\($0)" } ?? "-") "
      + "workers=\(observation.workers.count { !$0.isLost }) "
      + "connections=\(observation.connections.used)/\(observation.connections.allowed)"
  }
}
