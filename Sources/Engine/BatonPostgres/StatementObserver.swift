#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Hears of the statements that a task has run, and how long each took: what spans are made of.
package protocol StatementObserver: Sendable {
  /// The server has answered a statement; told on the connection's thread, so it must be quick.
  ///
  /// - Parameters:
  ///   - statement: its file.
  ///   - began: nanoseconds since 1970, when it was sent or the one before it in the round trip was answered.
  ///   - ended: nanoseconds since 1970.
  ///   - error: what the server answered instead of rows.
  func answered(_ statement: String, from began: UInt64, to ended: UInt64, error: PostgresError?)
}

/// Who hears of the statements of a task.
package enum StatementObservation {
  /// Of this task and its children; nil: nobody.
  @TaskLocal package static var observer: (any StatementObserver)?

  /// Nanoseconds since 1970.
  static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }
}

/// The observer of one round trip, and until when it has heard.
struct ObservedRoundTrip {
  private let observer: any StatementObserver
  private var last: UInt64

  /// Nil where nobody asks.
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
