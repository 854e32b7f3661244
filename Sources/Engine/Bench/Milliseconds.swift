import Synchronization

/// The durations of an operation in all rounds of a benchmark case.
package final class Milliseconds: Sendable {
  private let all = Mutex<[Double]>([])

  /// Creates an empty collection.
  package init() {}

  /// Adds durations in milliseconds.
  package func add(_ times: [Double]) { all.withLock { $0 += times } }

  /// Returns a percentile of the durations in milliseconds, or 0 if no durations were added.
  package func percentile(_ part: Int) -> Double {
    let sorted = all.withLock { $0.sorted() }
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * part / 100)]
  }
}
