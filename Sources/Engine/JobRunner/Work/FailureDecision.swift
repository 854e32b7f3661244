import BatonJobs

/// The decision about a claimed batch after a failed attempt.
///
/// Making a decision has no side effects, so tests can check each case.
enum FailureDecision: Sendable, Equatable {
  /// Makes the runs ready again.
  ///
  /// The attempt number is reduced by `attemptsOff`, and the runs are due after `wait`. The next
  /// claim contains at most `batchLimit` of the runs, or any number of runs if `batchLimit` is 0.
  /// If `batchLimit` is nil, the runs keep their current batch limit.
  case release(attemptsOff: Int, wait: Duration, batchLimit: Int?)
  /// Makes the runs dead.
  case deadLetter

  /// The attempt number from which a batch with a transient error is halved instead of being
  /// retried as a whole.
  ///
  /// A batch with a transient error reaches eight attempts after about two minutes.
  private static let attemptsTogether = 8

  /// The cause of the failure, reduced to the cases that the decision distinguishes.
  enum Cause: Sendable, Equatable {
    /// The worker is stopping, or its connection broke.
    ///
    /// The batch's runs did not cause the failure.
    case interrupted
    /// Several attempts in succession lost a connection of the worker.
    ///
    /// The runs may be the cause, so they are due after the given wait.
    case interruptedAgain(Duration)
    /// The server reported a temporary error, such as a deadlock, a lock timeout or a full disk.
    case transient
    /// The job threw ``Snooze`` to be called again later.
    case snoozed(Duration)
    /// The job threw ``RetryAfter`` to set the wait before the next attempt.
    case retryAfter(Duration)
    /// Every run of the job fails for the same reason, so the individual runs are not the cause.
    case common
    /// The job threw ``Permanent``, because no retry can succeed.
    case permanent
    /// The job threw any other error.
    case failed
  }

  /// Decides what happens to a failed batch of `runs` runs.
  ///
  /// The `attempt` parameter is the runs' highest attempt number.
  ///
  /// If the cause is `failed` or `permanent`, a batch of several runs is halved until the failing
  /// run is the only one in its batch. If a batch is halved, its failed attempt does not count
  /// towards the job's maximum number of attempts. If the failed batch contains only one run, the
  /// attempt counts towards this maximum.
  ///
  /// If the cause is `retryAfter`, the whole batch is retried after the wait, and the attempt
  /// counts. In the last attempt, a batch of several runs is halved, and the halves also wait.
  ///
  /// After a transient error from the server, the whole batch is first retried, and halved only
  /// after several attempts. The runs then wait at most one minute for the next attempt.
  ///
  /// - Parameter error: the attempt's error. If the job's retry policy is a function, it computes
  ///   the wait from the error.
  init(
    on cause: Cause, _ error: any Error, runs: Int, attempt: Int, retry: Retry, jitter: Double
  ) {
    // After a transient error from the server, runs wait at most 60 s. If the wait were longer, the
    // runs would still be waiting long after the server had recovered.
    let patience = cause == .transient ? retry.capped(at: .seconds(60)) : retry
    lazy var wait = patience.wait(after: attempt, of: error, jitter: jitter)
    // If the job's retry function returns nil, a run that failed alone becomes dead.
    lazy var mayTryAgain = attempt < patience.attempts && wait != nil
    switch cause {
    case .interrupted:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: nil)
    case .common:
      self = .release(attemptsOff: 1, wait: .zero, batchLimit: 0)
    case .snoozed(let wait), .interruptedAgain(let wait):
      self = .release(attemptsOff: 1, wait: wait, batchLimit: nil)
    case .retryAfter(let wait) where attempt < retry.attempts:
      self = .release(attemptsOff: 0, wait: wait, batchLimit: nil)
    // The attempt may be the last attempt of only one of the runs, so the batch is halved. Without
    // a wait, the halves would immediately call a service that has asked for a pause.
    case .retryAfter(let wait) where runs > 1:
      self = .release(attemptsOff: 1, wait: wait, batchLimit: runs / 2)
    // A batch with a transient error is first retried as a whole, because a full disk, for example,
    // affects all runs. After `attemptsTogether` attempts, the batch is halved, because a single
    // run may be the cause of the error.
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

  /// Whether the runs are only postponed, so that the attempt does not count and the batch is not
  /// split.
  var isPostponement: Bool {
    guard case .release(attemptsOff: 1, _, batchLimit: nil) = self else { return false }
    return true
  }
}
