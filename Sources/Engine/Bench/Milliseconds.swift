import Synchronization

/// The durations of an operation, over all rounds of a case.
package final class Milliseconds: Sendable {
  private let all = Mutex<[Double]>([])

  /// Starts without durations.
  package init() {}

  /// Adds durations.
  package func add(_ times: [Double]) { all.withLock { $0 += times } }

  /// The duration below which this percentage of all durations lies; 0 if there are none.
  package func percentile(_ part: Int) -> Double {
    let sorted = all.withLock { $0.sorted() }
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * part / 100)]
  }
}
