import BatonPostgres
import Synchronization

/// The state of a worker, for health checks.
package enum WorkerPulse: String, Sendable {
  /// The worker has not reached its server yet.
  case starting
  /// The worker is polling and processing runs.
  case working
  /// Too much time has passed since the worker's last completed poll.
  case stalled
  /// The server responds, but the worker cannot claim or complete runs.
  ///
  /// For example, the server is read-only or its disk is full.
  case failing
  /// The worker does not claim any more runs.
  case stopping
  /// The process can no longer run one of its jobs, so it exits.
  case lost
}

extension Worker {
  /// The maximum time between two successful polls.
  ///
  /// If no poll succeeds within this time, the worker is considered stalled.
  ///
  /// Any successful poll takes less than 15 s, even a poll that reclaims the runs of a dead worker.
  private static let longestLook = Duration.seconds(15)

  /// The current state of the worker.
  ///
  /// The property can be read on any thread and does not send a request to the server.
  package var pulse: WorkerPulse {
    if context.loss != nil { return .lost }
    if isStopping { return .stopping }
    guard let last = context.lastLook.at else { return .starting }
    if context.lastLook.isFailing || context.lastClaim.isFailing { return .failing }
    return last.duration(to: .now) > Self.longestLook ? .stalled : .working
  }
}

/// The time of the worker's last successful poll or claim, and the failures since then.
///
/// A poll is successful only if its writes also succeed.
final class LastLook: Sendable {
  private struct State {
    var last: ContinuousClock.Instant?
    /// The time of the first failure since the last success.
    var failingSince: ContinuousClock.Instant?
    /// The time and the SQLSTATE of the last failure since the last success.
    var failure: (at: ContinuousClock.Instant, state: SQLState)?
    /// Whether a failure since the last success shows that the server is read-only.
    var isReadOnly = false
  }

  /// How long failures are tolerated, because deadlocks and locks usually end sooner.
  private static let patience = Duration.seconds(3)
  /// The time after which failures are stored for `baton status`.
  private static let patienceOfStatus = Duration.seconds(5)
  /// The time after which a past failure is ignored.
  ///
  /// The next successful claim clears a failed claim. If other workers claim all due runs, this
  /// worker does not claim any, so only this time limit clears the failed claim.
  private static let memory = Duration.seconds(15)

  private let state = Mutex(State())

  var at: ContinuousClock.Instant? { state.withLock { $0.last } }

  /// Whether polls or claims have failed for too long.
  var isFailing: Bool {
    state.withLock { state in
      guard let since = Self.failingSince(state) else { return false }
      return state.isReadOnly || since.duration(to: .now) > Self.patience
    }
  }

  /// The failure as stored for `baton status`, or nil if it has not lasted for `patienceOfStatus`.
  ///
  /// The job's name is empty, because the failure concerns all jobs.
  var stored: CommonFailures.Stored? {
    state.withLock { state in
      guard let since = Self.failingSince(state), let failure = state.failure else { return nil }
      let age = since.duration(to: .now)
      guard age > Self.patienceOfStatus else { return nil }
      return CommonFailures.Stored(
        job: "", reason: "SQLSTATE \(failure.state.code)", age: age, failures: 1)
    }
  }

  private static func failingSince(_ state: State) -> ContinuousClock.Instant? {
    guard let failure = state.failure, failure.at.duration(to: .now) < memory else { return nil }
    return state.failingSince
  }

  func isNow() { state.withLock { $0 = State(last: .now) } }

  func failed(_ error: PostgresError) {
    state.withLock { state in
      // If the server is unreachable, the worker is considered stalled, not failing.
      guard !error.sqlState.isConnectionLoss else {
        state = State(last: state.last)
        return
      }
      state.failingSince = Self.failingSince(state) ?? .now
      state.failure = (at: .now, state: error.sqlState)
      if error.sqlState.failure == .readOnly { state.isReadOnly = true }
    }
  }
}
