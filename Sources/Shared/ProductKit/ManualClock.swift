public import Foundation

/// A clock for tests and previews, which stands still until it is moved.
public final class ManualClock: @unchecked Sendable {
  private let lock = NSLock()
  private var time: Date

  /// A clock that stands still at an instant.
  public init(at time: Date) { self.time = time }

  /// The instant.
  public var now: Date { lock.withLock { time } }

  /// Moves the clock, forward or back.
  public func move(to time: Date) { lock.withLock { self.time = time } }

  /// Moves the clock forward.
  public func advance(by seconds: TimeInterval) {
    lock.withLock { time = time.addingTimeInterval(seconds) }
  }
}
