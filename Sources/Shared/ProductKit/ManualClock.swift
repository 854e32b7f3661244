public import Foundation

/// A clock for tests and previews, whose time changes only when a caller moves it.
public final class ManualClock: @unchecked Sendable {
  private let lock = NSLock()
  private var time: Date

  /// Creates a clock set to the given time.
  public init(at time: Date) { self.time = time }

  /// The clock's current time.
  public var now: Date { lock.withLock { time } }

  /// Moves the clock forward or backward to a given time.
  public func move(to time: Date) { lock.withLock { self.time = time } }

  /// Moves the clock forward by a number of seconds.
  public func advance(by seconds: TimeInterval) {
    lock.withLock { time = time.addingTimeInterval(seconds) }
  }
}
