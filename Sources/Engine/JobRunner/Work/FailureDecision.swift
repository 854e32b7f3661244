import BatonJobs

/// What happens to a claimed batch whose work failed.
///
/// It has no side effects, so that a table of cases can test it.
enum FailureDecision: Sendable, Equatable {
  /// Makes the runs ready again.
  ///
  /// `attemptsOff` attempts are subtracted, the runs are due after `wait`, and the next claim takes at most
  /// `batchLimit` of them (nil: as before).
  case release(attemptsOff: Int, wait: Duration, batchLimit: Int?)
  /// Moves the runs to the dead letters.
  case deadLetter

  /// After transient errors a batch is retried as a whole up to this attempt: about two minutes.
  private static let attemptsTogether = 8

  /// Why the work failed, as far as the decision depends on it.
  enum Cause: Sendable, Equatable {
    /// The worker stops, or its connection broke: the runs did not cause it.
    case interrupted
    /// The server reported an error that may pass: a deadlock, a lock timeout, a full disk.
    case transient
    /// The job threw ``Snooze`` to be called later.
    case snoozed(Duration)
    /// The job threw ``Permanent``: no retry can succeed.
    case permanent
    /// The job threw any other error.
    case failed
  }

  /// Decides about a batch of `runs` whose highest attempt is `attempt`.
  ///
  /// An attempt counts only for a run that failed alone. A batch is halved until the run that fails is alone, and its
  /// runs get their attempts back meanwhile. After a transient error of the server the wait is at most one minute.
  init(
    on cause: Cause, runs: Int, attempt: Int, retry: Retry, jitter: Double
  ) {
    // Clients notice within a minute that a server has recovered; longer waits would only delay them.
    let patience = cause == .transient ? retry.capped(at: .seconds(60)) : retry
    let wait = patience.wait(after: attempt, jitter: jitter)
    let mayTryAgain = attempt < patience.attempts
    switch cause {
    case .interrupted:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: nil)
    case .snoozed(let wait):
      self = .release(attemptsOff: 1, wait: wait, batchLimit: nil)
    // A cause that affects all runs of a batch, such as a full disk, also affects its halves, so halving does not
    // help. But one run that makes the server fail each time, for example by a deadlock with itself, must not delay
    // the others for long.
    case .transient where runs > 1 && attempt >= min(retry.attempts, Self.attemptsTogether):
      self = .release(attemptsOff: 1, wait: wait, batchLimit: runs / 2)
    case .transient where mayTryAgain:
      self = .release(attemptsOff: 0, wait: wait, batchLimit: nil)
    case _ where runs > 1:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: runs / 2)
    case .failed where mayTryAgain:
      self = .release(attemptsOff: 0, wait: wait, batchLimit: nil)
    default:
      self = .deadLetter
    }
  }
}
