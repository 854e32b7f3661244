import BatonJobs

/// The decision about a claimed batch whose attempt failed.
///
/// The decision has no side effects, so tests can check each case.
enum FailureDecision: Sendable, Equatable {
  /// Makes the runs ready again.
  ///
  /// `attemptsOff` attempts are subtracted, and the runs are due after `wait`. The next claim
  /// contains at most `batchLimit` of the runs, or any number if `batchLimit` is 0. If `batchLimit`
  /// is nil, the runs keep their batch limit.
  case release(attemptsOff: Int, wait: Duration, batchLimit: Int?)
  /// Makes the runs dead.
  case deadLetter

  /// The last attempt at which a batch is retried as a whole after a transient error.
  ///
  /// The batch reaches this attempt after about two minutes.
  private static let attemptsTogether = 8

  /// The cause of the failure, as far as the decision depends on it.
  enum Cause: Sendable, Equatable {
    /// The worker stops or its connection broke, so the runs are not the cause.
    case interrupted
    /// The server reported an error that may pass, such as a deadlock, a lock timeout or a full
    /// disk.
    case transient
    /// The job threw ``Snooze`` to be called again later.
    case snoozed(Duration)
    /// The job threw ``RetryAfter`` to set the wait of the next attempt.
    case retryAfter(Duration)
    /// Every run of the job fails for this reason, so the runs are not the cause.
    case common
    /// The job threw ``Permanent``, so that no retry can succeed.
    case permanent
    /// The job threw any other error.
    case failed
  }

  /// Decides about a batch of `runs` runs whose highest attempt is `attempt`.
  ///
  /// An attempt counts only for a run that failed alone. A failed batch is halved until the failing
  /// run is alone, and the attempts of its runs do not count until then. After a transient error of
  /// the server, the wait is at most one minute.
  ///
  /// - Parameter error: the error, which determines the wait if the job's retry is a function.
  init(
    on cause: Cause, _ error: any Error, runs: Int, attempt: Int, retry: Retry, jitter: Double
  ) {
    // Clients notice within a minute that a server has recovered, and longer waits would only delay
    // them.
    let patience = cause == .transient ? retry.capped(at: .seconds(60)) : retry
    lazy var wait = patience.wait(after: attempt, of: error, jitter: jitter)
    // If the job's retry function returns no wait, a run that failed alone is dead.
    lazy var mayTryAgain = attempt < patience.attempts && wait != nil
    switch cause {
    case .interrupted:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: nil)
    case .common:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: 0)
    case .snoozed(let wait):
      self = .release(attemptsOff: 1, wait: wait, batchLimit: nil)
    case .retryAfter(let wait) where attempt < retry.attempts:
      self = .release(attemptsOff: 0, wait: wait, batchLimit: nil)
    // Halving does not help if the cause affects all runs of a batch, such as a full disk. One run
    // that makes the server fail each time, for example by a deadlock with itself, must not delay
    // the other runs for long.
    case .transient where runs > 1 && attempt >= min(retry.attempts, Self.attemptsTogether):
      self = .release(attemptsOff: 1, wait: wait ?? .zero, batchLimit: runs / 2)
    case .transient where mayTryAgain:
      self = .release(attemptsOff: 0, wait: wait ?? .zero, batchLimit: nil)
    case _ where runs > 1:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: runs / 2)
    case .failed where mayTryAgain:
      self = .release(attemptsOff: 0, wait: wait ?? .zero, batchLimit: nil)
    default:
      self = .deadLetter
    }
  }

  /// Whether the runs are due again later, although no attempt counts and no batch is split.
  var isPostponement: Bool {
    guard case .release(attemptsOff: 1, _, batchLimit: nil) = self else { return false }
    return true
  }
}
