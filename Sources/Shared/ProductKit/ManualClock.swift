public import Foundation

/// A clock for tests and previews, whose time changes only when a caller moves the clock.
public final class ManualClock: @unchecked Sendable {
  private let lock = NSLock()
  private var time: Date

  /// Creates a clock whose current time is the given instant.
  public init(at time: Date) { self.time = time }

  /// The clock's current time.
  public var now: Date { lock.withLock { time } }

  /// Moves the clock to an instant, forward or backward.
  public func move(to time: Date) { lock.withLock { self.time = time } }

  /// Moves the clock forward by a number of seconds.
  public func advance(by seconds: TimeInterval) {
    lock.withLock { time = time.addingTimeInterval(seconds) }
  }
}
