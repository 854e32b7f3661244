#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// An observer that receives the executed statements of a task and their durations, for tracing
/// spans.
package protocol StatementObserver: Sendable {
  /// Receives a statement to which the server has responded.
  ///
  /// The method runs on the connection's thread, so it must return quickly.
  ///
  /// - Parameters:
  ///   - statement: the name of the statement's file.
  ///   - began: the statement's start time, in nanoseconds since 1970. A later statement in a round
  ///     trip starts when the response to the previous statement arrives.
  ///   - ended: the time of the response in nanoseconds since 1970.
  ///   - error: the server's error, or nil after success.
  func answered(_ statement: String, from began: UInt64, to ended: UInt64, error: PostgresError?)
}

/// The observer of a task's statements.
package enum StatementObservation {
  /// The observer of the current task and its child tasks, or nil if no observer is set.
  @TaskLocal package static var observer: (any StatementObserver)?

  /// The current time in nanoseconds since 1970.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// The observer of one round trip, and the time of the last response.
struct ObservedRoundTrip {
  private let observer: any StatementObserver
  private var last: UInt64

  /// Creates the observation, or returns nil if the task has no observer.
  init?() {
    guard let observer = StatementObservation.observer else { return nil }
    self.observer = observer
    last = StatementObservation.now
  }

  mutating func answered(_ statement: Statement, error: PostgresError?) {
    let now = StatementObservation.now
    observer.answered(statement.name, from: last, to: now, error: error)
    last = now
  }
}
