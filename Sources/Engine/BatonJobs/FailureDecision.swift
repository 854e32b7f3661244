/// What becomes of a claimed batch whose work failed.
///
/// Pure, so that a table can test it.
package enum FailureDecision: Sendable, Equatable {
  /// Back to ready: `attemptsOff` attempts are taken off again, it is due after `wait`, and is
  /// claimed with at most `batchLimit` runs (nil: as before).
  case release(attemptsOff: Int, wait: Duration, batchLimit: Int?)
  /// To the dead letters.
  case deadLetter

  /// After transient errors a batch is tried again as a whole until this attempt: for two minutes.
  private static let attemptsTogether = 8

  /// Why the work failed, as far as the decision depends on it.
  package enum Cause: Sendable, Equatable {
    /// The worker stops, or its connection broke: nobody's fault.
    case interrupted
    /// The server asked to try again: a deadlock, a lock timeout, a full disk.
    case transient
    /// The job wants to be called later.
    case snoozed(Duration)
    /// No retry can mend it.
    case permanent
    /// Anything else the job threw.
    case failed
  }

  /// The decision on a batch of `runs` whose highest attempt is `attempt`.
  ///
  /// Only a run that failed alone pays for it: a batch is halved until the culprit is alone, and
  /// all get their attempt back meanwhile. After a transient error of the server the wait is a minute at most.
  package init(
    on cause: Cause, runs: Int, attempt: Int, retry: Retry, jitter: Double
  ) {
    // A server recovers at a time of its own: its clients notice that within a minute.
    let patience = cause == .transient ? retry.capped(at: .seconds(60)) : retry
    let wait = patience.wait(after: attempt, jitter: jitter)
    let mayTryAgain = attempt < patience.attempts
    switch cause {
    case .interrupted:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: nil)
    case .snoozed(let wait):
      self = .release(attemptsOff: 1, wait: wait, batchLimit: nil)
    // A cause that hits all runs of a batch, such as a full disk, hits its halves too. But one run that makes the
    // server fail each time, by a deadlock with itself, must not hold up the others for long.
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
