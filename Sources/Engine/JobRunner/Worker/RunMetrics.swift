import BatonJobs
import BatonPostgres
import CoreMetrics

/// The metrics for one job's runs, for the program's metrics backend.
///
/// If the program sets no metrics backend, swift-metrics discards the metrics. The job's name is
/// the only label, because the number of distinct keys and errors is unlimited.
struct RunMetrics: Sendable {
  private let wait, attempt: Timer
  private let ends: [End: Counter]

  /// The possible results of a run.
  fileprivate enum End: String, CaseIterable { case done, released, snoozed, dead, cancelled, lost }

  init(of job: String) {
    wait = Timer(label: "baton_run_wait_seconds", dimensions: [("job", job)])
    attempt = Timer(label: "baton_attempt_seconds", dimensions: [("job", job)])
    ends = Dictionary(
      uniqueKeysWithValues: End.allCases.map {
        ($0, Counter(label: "baton_runs_total", dimensions: [("job", job), ("end", $0.rawValue)]))
      })
  }

  /// Records the waiting times of a claim's runs.
  func begin(_ claim: Claim, at now: Timestamp) {
    for run in claim.runs {
      // A due time can be slightly later than the worker's estimate of the server's clock.
      wait.recordMicroseconds(max(0, now.microseconds - run.due.microseconds))
    }
  }

  /// Records the duration of an attempt and, after a success, the completed runs.
  ///
  /// The runs of a failed attempt can have different results: one run may die while the others are
  /// released. The ``settle(_:cancelled:by:isSnoozed:)`` method records these results.
  func end(_ claim: Claim, _ result: AttemptResult, after elapsed: Duration) {
    let took = elapsed.components
    attempt.recordNanoseconds(took.seconds * 1_000_000_000 + took.attoseconds / 1_000_000_000)
    if case .done = result { ends[.done]?.increment(by: claim.runs.count) }
  }

  /// Records runs of a failed attempt that were settled by one decision.
  func settle(_ runs: Int, cancelled: Int, by decision: FailureDecision, isSnoozed: Bool) {
    if cancelled > 0 { ends[.cancelled]?.increment(by: cancelled) }
    guard runs > cancelled else { return }
    let end: End =
      switch decision {
      case .deadLetter: .dead
      case .release: isSnoozed ? .snoozed : .released
      }
    ends[end]?.increment(by: runs - cancelled)
  }

  /// Records runs that were not settled.
  func lose(_ runs: Int) { ends[.lost]?.increment(by: runs) }
}
