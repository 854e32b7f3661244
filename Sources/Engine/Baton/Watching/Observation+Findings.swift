import ArgumentParser
import BatonJobs
import BatonPostgres
package import JobRunner

extension Observation {
  /// Returns the problems according to the default thresholds of `status`, most severe first.
  ///
  /// The result includes the problems found by a product's gauges.
  package func findings(with gauges: [ProductGauge]?) -> [Finding] {
    guard let limits = try? StatusThresholds.parse([]) else {
      preconditionFailure("every threshold has a value of its own")
    }
    return (findings(by: limits) + gauges.findings).sorted
  }

  /// Returns the problems according to the given thresholds, in the order events, runs, workers and
  /// server.
  func findings(by limits: StatusThresholds) -> [Finding] {
    folding(limits) + schedules(limits) + withoutCode + jobs.flatMap { $0.findings(by: limits) }
      + workers(limits) + server(limits)
  }

  /// One finding per job that has runs or schedules, but that no process has registered recently.
  var withoutCode: [Finding] {
    jobs.compactMap { job in
      guard !job.isRetired, let age = job.unregisteredSeconds else { return nil }
      let schedules = schedules.count { $0.job == job.name }
      let runs = Count(
        value: job.ready.value + job.delayed.value,
        isEstimate: job.ready.isEstimate || job.delayed.isEstimate)
      guard runs.value + schedules > 0 else { return nil }
      let waiting = [
        runs.value > 0 ? runs.text(of: "waiting run") : nil,
        schedules > 0 ? counted(schedules, "schedule") : nil,
      ].compactMap { $0 }.joined(separator: " and ")
      return Finding(
        .warning,
        "No process has registered the job \(job.name) for \(age.duration), and it has \(waiting).",
        at: "table job", page: .jobs,
        next: "Start a program that has the job. Or remove it: "
          + "`\(Program.name) jobs retire \(job.name) --cancel-runs`.")
    }
  }

  private func folding(_ limits: StatusThresholds) -> [Finding] {
    var findings: [Finding] = []
    if let age = folding.oldestUnfoldedSeconds, let severity = limits.folding.severity(of: age) {
      let events = folding.events
      findings.append(
        Finding(
          severity,
          "\(events.text(of: "event")) \(events.be) not dispatched, the oldest for \(age.duration).",
          at: "tables event_0, event_1 and event_2",
          next: "Check that a worker is running, and read its log. No event is lost."))
    }
    if !folding.isOfThisServer {
      findings.append(
        Finding(
          .warning, "The event log was restored from another server.",
          at: "table event_position",
          next:
            "Start a worker: it dispatches the event log from the start and enqueues again what the dump does not contain."
        ))
    }
    return findings
  }

  private func schedules(_ limits: StatusThresholds) -> [Finding] {
    let unregistered = Set(jobs.filter { $0.unregisteredSeconds != nil }.map(\.name))
    return schedules.compactMap { schedule in
      guard !unregistered.contains(schedule.job) else { return nil }
      guard let late = schedule.lateSeconds, let severity = limits.late.severity(of: late)
      else { return nil }
      return Finding(
        severity, "The schedule \(schedule.name) is late by \(late.duration).",
        at: "table schedule", page: .schedules,
        next:
          "Start a worker that has the job; `\(Program.name) schedule list` prints its times.")
    }
  }

  private func workers(_ limits: StatusThresholds) -> [Finding] {
    let lost = workers.filter { $0.isLost && $0.failure == nil }
    let alive = workers.filter { !$0.isLost || $0.failure != nil }
    var findings = failingWorkers
    if let severity = limits.lost.severity(of: Double(lost.count)), !lost.isEmpty {
      findings.append(
        Finding(
          severity,
          "\(counted(lost.count, "worker")) stopped without unregistering: \(lost.map(\.name).joined(separator: ", ")).",
          at: "table worker", page: .workers,
          next: "Other workers take over its runs within seconds. If none is running, start one."))
    }
    if alive.count < limits.workers {
      let hasWork =
        folding.events.value > 0
        || jobs.contains {
          !$0.isPaused && $0.unregisteredSeconds == nil && $0.oldestDueSeconds != nil
        }
      let there = Count(value: alive.count)
      findings.append(
        Finding(
          alive.isEmpty && hasWork ? .critical : .warning,
          alive.isEmpty
            ? "No worker is running."
            : "\(there.text(of: "worker")) of \(limits.workers) \(there.be) running.",
          at: "table worker", page: .workers,
          next:
            "Start one: \(Program.worker). `\(Program.name) check` prints what prevents a start."))
    }
    return findings
  }

  private func server(_ limits: StatusThresholds) -> [Finding] {
    var findings: [Finding] = isReadOnly ? [.readOnly] : []
    if let oldest = oldestTransaction,
      let severity = limits.transaction.severity(of: oldest.seconds)
    {
      findings.append(
        Finding(
          severity, "A transaction has been open for \(oldest.seconds.duration), \(oldest.state).",
          at: "server process \(oldest.pid) of \(oldest.user), \(oldest.applicationName)",
          page: .database,
          next:
            "Vacuum cannot remove newer dead rows. To end the transaction: select pg_terminate_backend(\(oldest.pid))."
        ))
    }
    if !isOldestTransactionSeen {
      findings.append(.hiddenTransactions)
    }
    let share = Double(connections.used) * 100 / Double(max(1, connections.allowed))
    if let severity = limits.connections.severity(of: share) {
      findings.append(
        Finding(
          severity,
          "\(connections.used) of \(connections.allowed) connections "
            + "\(connections.used == 1 ? "is" : "are") in use.",
          at: "max_connections of the server", page: .database,
          next:
            "To list their clients: select application_name, count(*) from pg_stat_activity group by 1."
        ))
    }
    return findings
  }
}

extension JobObservation {
  fileprivate func findings(by limits: StatusThresholds) -> [Finding] {
    var findings: [Finding] = []
    if isPaused, ready.value > 0 {
      findings.append(
        Finding(
          .warning,
          "\(name) is paused, and \(ready.text) of its runs "
            + "\(ready.value == 1 ? "waits" : "wait").",
          at: "table job", page: .jobs,
          next: "`\(Program.name) jobs resume \(name)` resumes the job."))
    } else if isRetired, ready.value + delayed.value > 0 {
      findings.append(
        Finding(
          .warning,
          "\(name) is retired, and "
            + "\(Count(value: ready.value + delayed.value, isEstimate: ready.isEstimate || delayed.isEstimate).text(of: "run")) of it "
            + "\(ready.value + delayed.value == 1 ? "waits" : "wait").",
          at: "table run", page: .runs,
          next: "`\(Program.name) runs cancel --job \(name)` cancels them."))
    } else if !isPaused, unregisteredSeconds == nil {
      findings += waits(limits)
    }
    if let common = commonFailure {
      findings.append(
        Finding(
          common.reason == SQLState.diskFull.reason ? .critical : .warning,
          "Every run of \(name) fails alike in \(counted(common.workers, "worker")) "
            + "(\(common.reason)), for \(common.seconds.duration).",
          at: "table worker", page: .runs,
          next:
            "`\(Program.name) runs list --job \(name)` prints the error. Fix its cause. The worker "
            + "tries one run every few seconds. Repeated failures of a run count, so the run can die."
        ))
    }
    if let severity = limits.attempts.severity(of: Double(failedAttempts)), retrying.value > 0 {
      findings.append(
        Finding(
          severity,
          "\(retrying.text(of: "run")) of \(name) failed and \(retrying.be) being retried, "
            + "up to \(counted(failedAttempts, "failed attempt")) so far.",
          at: "table run", page: .runs,
          next: "`\(Program.name) runs list --job \(name)` prints the errors. Fix their cause, "
            + "because a run dies after its last attempt."))
    }
    if dead.value > 0, let severity = limits.dead.severity(of: Double(dead.value)) {
      findings.append(
        Finding(
          severity, "\(dead.text(of: "run")) of \(name) died.",
          at: "table dead_run", page: .dead,
          next:
            "`\(Program.name) runs list --state dead --job \(name)` prints the errors; then use `runs retry` or `discard`."
        ))
    }
    return findings
  }

  private func waits(_ limits: StatusThresholds) -> [Finding] {
    if let due = oldestDueSeconds, let severity = limits.due.severity(of: due) {
      return [
        Finding(
          severity,
          "\(ready.text(of: "run")) of \(name) \(ready.be) due, the oldest for \(due.duration).",
          at: "table run", page: .runs,
          next:
            "Start more workers, or increase --concurrency of \(Program.worker); see docs/guides/scaling.md."
        )
      ]
    }
    // The debounce time does not count, because a debounce delays a run on purpose.
    guard let age = oldestUnfinishedWriteSeconds.map({ $0 - debounceSeconds }),
      let severity = limits.freshness.severity(of: age)
    else { return [] }
    return [
      Finding(
        severity, "A write has waited for the job \(name) for \((age + debounceSeconds).duration).",
        at: "table run", page: .runs,
        next:
          "Its run takes long, or is being retried after a failure: `\(Program.name) runs list --job \(name)`."
      )
    ]
  }
}

extension [ProductGauge]? {
  /// The problems found by a product's gauges.
  ///
  /// The gauges are nil if they could not be read.
  var findings: [Finding] {
    guard let gauges = self else {
      return [
        Finding(
          .note, "Not seen: the figures of \(Program.name).", at: "the rights of this login",
          next: "Run \(Program.migrate), or log in as the operator.")
      ]
    }
    return gauges.compactMap { gauge in
      guard let limit = gauge.limit, gauge.value > limit else { return nil }
      return Finding(
        .warning, "\(gauge.name) is \(gauge.value.short): \(gauge.help)", at: "the product",
        next: gauge.next)
    }
  }
}

extension Count {
  /// The number as text, preceded by `about` if the number is an estimate, such as `about 12000`.
  package var text: String { isEstimate ? "about \(value)" : "\(value)" }

  /// Returns the number with the name of the counted items, such as `1 run` or `about 12000 runs`.
  package func text(of one: String) -> String {
    (isEstimate ? "about " : "") + counted(value, one)
  }

  /// The verb that follows the number, `is` or `are`.
  package var be: String { value == 1 ? "is" : "are" }
}

extension Double {
  /// The duration as text, such as `0.4 s`, `12 s`, `3 min`, `5 h` or `2 days`.
  package var duration: String {
    switch self {
    case ..<10: "\((self * 10).rounded() / 10) s"
    case ..<120: "\(Int64(bounded: self)) s"
    case ..<7_200: "\(Int64(bounded: self / 60)) min"
    case ..<172_800: "\(Int64(bounded: self / 3_600)) h"
    default: "\(Int64(bounded: self / 86_400)) days"
    }
  }

  /// The number as text, without a fraction if the number is whole.
  package var short: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}

extension Finding {
  /// The finding for a server that rejects writes.
  fileprivate static let readOnly = Finding(
    .critical, "The server only reads: no worker can claim or complete a run.",
    at: "standby, or default_transaction_read_only", page: .database,
    next: "Workers go on after the failover. Or point DATABASE_URL at the primary server.")
}
