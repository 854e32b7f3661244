import Synchronization
import TestSupport
import Testing

/// Durations of one kind, measured by several tasks.
///
/// Durations during which the machine stopped are left out. Periods in which other tests occupied
/// Swift's cooperative pool are subtracted.
final class Samples: Sendable {
  private let watch = StallWatch()
  private let values = Mutex((kept: [Duration](), leftOut: 0))

  deinit { watch.stop() }

  /// Adds the duration from an instant until now, and returns whether it counts.
  @discardableResult
  func add(since began: ContinuousClock.Instant) -> Bool {
    let ended = ContinuousClock.now
    let isLeftOut = watch.stalled(began...ended)
    let time = began.duration(to: ended) - watch.delay(in: began...ended)
    values.withLock {
      if isLeftOut { $0.leftOut += 1 } else { $0.kept.append(time) }
    }
    return !isLeftOut
  }

  var count: Int { values.withLock { $0.kept.count + $0.leftOut } }
  var leftOut: Int { values.withLock { $0.leftOut } }
  var median: Duration { share(0.5) }
  var p99: Duration { share(0.99) }
  var longest: Duration { share(1) }

  /// Expects a maximum that at most one duration in a hundred exceeds.
  ///
  /// If more than a tenth was left out, the measurement fails.
  ///
  /// If there are fewer than a hundred durations, one in ten may exceed the maximum. Otherwise, one
  /// slow moment of a machine that runs all tests would decide.
  func expect(
    p99 limit: Duration, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    print("\(what): \(self)")
    #expect(count > 0, "\(what): nothing measured", sourceLocation: sourceLocation)
    #expect(
      leftOut * 10 <= count * patience, "\(what): \(leftOut) of \(count) left out",
      sourceLocation: sourceLocation)
    let decisive = count < 100 ? share(0.9) : p99
    #expect(decisive <= limit * patience, "\(what): \(self)", sourceLocation: sourceLocation)
  }

  /// Returns the smallest value that this share of the durations does not exceed, or zero if there
  /// are none.
  private func share(_ share: Double) -> Duration {
    let sorted = values.withLock { $0.kept.sorted() }
    guard !sorted.isEmpty else { return .zero }
    return sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}

extension Samples: CustomStringConvertible {
  var description: String {
    "\(count) samples, \(leftOut) left out; median \(median), p99 \(p99), longest \(longest)"
  }
}
