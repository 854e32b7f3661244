import Synchronization

/// What something took, each time, over all rounds of a case.
package final class Milliseconds: Sendable {
  private let all = Mutex<[Double]>([])

  /// None yet.
  package init() {}

  /// More of them.
  package func add(_ times: [Double]) { all.withLock { $0 += times } }

  /// So many of a hundred took no longer; 0 where there are none.
  package func percentile(_ part: Int) -> Double {
    let sorted = all.withLock { $0.sorted() }
    return sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * part / 100)]
  }
}
