import Foundation

/// A time limit for waiting for other processes.
struct Patience {
  private let end: ContinuousClock.Instant

  init(seconds: Int) { end = .now + .seconds(seconds) }

  /// Waits 20 ms, or returns false if the time limit has been reached.
  mutating func wait() -> Bool {
    guard ContinuousClock.now < end else { return false }
    usleep(20_000)
    return true
  }
}
