import BatonJobs
import BatonPostgres
import JobRunner

extension Observation {
  /// The workers that are connected, but cannot dispatch, claim or complete runs.
  ///
  /// If every running worker is failing, the problem is critical.
  var failingWorkers: [Finding] {
    let failing = workers.compactMap { worker in
      worker.failure.map { (name: worker.name, failure: $0) }
    }
    guard let first = failing.max(by: { $0.failure.seconds < $1.failure.seconds }) else {
      return []
    }
    let reason = first.failure.reason
    let what =
      hasOnlyFailingWorkers
      ? "No worker can dispatch, claim or complete runs"
      : "\(counted(failing.count, "worker")) cannot dispatch, claim or complete runs"
    return [
      Finding(
        hasOnlyFailingWorkers ? .critical : .warning,
        "\(what) (\(reason)), for \(first.failure.seconds.duration).",
        at: "table worker, \(failing.map { $0.name }.joined(separator: ", "))", page: .workers,
        next: Self.next(after: reason))
    ]
  }

  private static func next(after reason: String) -> String {
    switch reason {
    case SQLState.diskFull.reason:
      "Free disk space on the database server. The workers continue without a restart."
    case SQLState.insufficientPrivilege.reason:
      "Grant the right that the worker's log names, or run \(Program.migrate), which grants the "
        + "rights of the roles."
    case WorkerFailureObservation.noHeartbeat:
      "The worker is connected, but the database does not store its heartbeats. Read its log."
    default: "Read the worker's log, which contains the error."
    }
  }
}

extension SQLState {
  static let diskFull: SQLState = "53100"

  /// The failure reason that the schema stores for this SQLSTATE.
  var reason: String { "SQLSTATE \(code)" }
}
