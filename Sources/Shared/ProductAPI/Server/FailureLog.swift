#if HTTP
  import BatonPostgres
  import Logging
  import Synchronization

  /// Logs temporary database errors, and the reasons why streams end, at most once every ten
  /// seconds.
  ///
  /// If the database has a temporary error, the client gets status 503, and only the log contains
  /// the reason.
  final class FailureLog: Sendable {
    private static let shortestPause = Duration.seconds(10)

    private let logger: Logger
    private let loggedAt = Mutex<ContinuousClock.Instant?>(nil)
    private let isOn = Atomic(false)

    init(_ logger: Logger) { self.logger = logger }

    /// Starts logging errors.
    ///
    /// Before this call, an error is not logged, because the command prints it and ends.
    func begin() { isOn.store(true, ordering: .relaxed) }

    /// Logs a temporary error, unless an error was logged recently.
    func record(_ error: PostgresError) {
      // An error that results from a closed client connection is not logged.
      guard isOn.load(ordering: .relaxed), error.sqlState.isTransient, !Task.isCancelled
      else { return }
      if isDue() { logger.warning("API: a call failed: \(error)") }
    }

    /// Logs an error that ended the streams of a feed, unless an error was logged recently.
    func record(_ error: any Error, ofStreams feed: String) {
      if isDue() { logger.warning("API: the streams '\(feed)' ended: \(error)") }
    }

    private func isDue() -> Bool {
      loggedAt.withLock { loggedAt in
        if let last = loggedAt, last.duration(to: .now) < Self.shortestPause { return false }
        loggedAt = ContinuousClock.now
        return true
      }
    }
  }
#endif
