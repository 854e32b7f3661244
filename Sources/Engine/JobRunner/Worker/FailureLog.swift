import BatonJobs
import BatonPostgres
package import Logging
import Synchronization

/// Logs the first of several equal failures, and then, once per minute, the number of equal
/// failures.
///
/// During an outage, each retry fails with the same error. Without a limit of one line per minute,
/// frequent retries would fill up the disk with identical lines.
package final class FailureLog: Sendable {
  private struct Failure {
    var loggedAt, lastAt: ContinuousClock.Instant
    /// The number of failures since the last logged line.
    var unlogged = 0
  }

  /// How long equal failures are counted instead of being logged.
  private let pause: Duration
  private let failures = Mutex<[String: Failure]>([:])
  /// The maximum number of distinct failures in memory.
  ///
  /// If the maximum is exceeded, the oldest failures are removed.
  private static let most = 200

  /// Creates a log.
  ///
  /// By default, equal failures are logged once per minute.
  package init(pause: Duration = .seconds(60)) { self.pause = pause }

  /// Logs a failure, or only counts it if an equal failure was logged within the last minute.
  ///
  /// Two failures are equal if they concern the same task and have the same SQLSTATE. Error texts
  /// are not compared, because they may contain a number that differs each time.
  ///
  /// - Parameters:
  ///   - what: a description of the failure, such as `cannot claim`.
  ///   - kind: distinguishes failures of the same task, for example by job name. Failures of
  ///     different kinds are not equal.
  package func note(
    _ error: any Error, _ what: String, of kind: String = "", with logger: Logger,
    level: Logger.Level = .warning, at now: ContinuousClock.Instant = .now
  ) {
    let state = (error as? PostgresError)?.sqlState.code ?? "\(type(of: error))"
    let earlier = failures.withLock { failures in
      count("\(what)\n\(kind)\n\(state)", in: &failures, at: now)
    }
    guard let earlier else { return }
    let more = earlier == 0 ? "" : "; \(counted(earlier, "equal failure")) since the last line"
    logger.log(level: level, "\(what): \(FailedAttempt.text(error))\(more)")
  }

  /// Logs a message, or only counts it if an equal message was logged within the last minute.
  package func note(
    _ message: String, with logger: Logger, at now: ContinuousClock.Instant = .now
  ) {
    let earlier = failures.withLock { count(message, in: &$0, at: now) }
    if earlier != nil { logger.warning("\(message)") }
  }

  /// Counts a failure, and returns the number of equal failures that were suppressed, or nil if
  /// this failure must not be logged.
  private func count(
    _ key: String, in failures: inout [String: Failure], at now: ContinuousClock.Instant
  ) -> Int? {
    if var failure = failures[key], failure.loggedAt.duration(to: now) < pause {
      failure.unlogged += 1
      failure.lastAt = now
      failures[key] = failure
      return nil
    }
    let unlogged = failures[key]?.unlogged ?? 0
    if failures.count >= Self.most {
      failures = failures.filter { $0.value.lastAt.duration(to: now) < pause }
      if failures.count >= Self.most { failures = [:] }
    }
    failures[key] = Failure(loggedAt: now, lastAt: now)
    return unlogged
  }
}
