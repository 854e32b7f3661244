import Foundation

/// How long a caller goes on asking for something that other processes do.
struct Patience {
  private let end: ContinuousClock.Instant

  init(seconds: Int) { end = .now + .seconds(seconds) }

  /// Waits 20 ms; false once the time is over.
  mutating func wait() -> Bool {
    guard ContinuousClock.now < end else { return false }
    usleep(20_000)
    return true
  }
}
