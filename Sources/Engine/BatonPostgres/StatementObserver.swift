#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Receives the statements that a task has run, with their durations, from which spans are made.
package protocol StatementObserver: Sendable {
  /// Called when the server has answered a statement; it runs on the connection's thread, so it must be quick.
  ///
  /// - Parameters:
  ///   - statement: its file.
  ///   - began: when it was sent, or when the one before it in the round trip was answered; in nanoseconds since 1970.
  ///   - ended: nanoseconds since 1970.
  ///   - error: the server's error, if it returned one instead of rows.
  func answered(_ statement: String, from began: UInt64, to ended: UInt64, error: PostgresError?)
}

/// The observer of the statements of a task.
package enum StatementObservation {
  /// The observer of this task and its children; nil: there is none.
  @TaskLocal package static var observer: (any StatementObserver)?

  /// Nanoseconds since 1970.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// The observer of one round trip, and the time of its last call.
struct ObservedRoundTrip {
  private let observer: any StatementObserver
  private var last: UInt64

  /// Nil if the task has no observer.
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
