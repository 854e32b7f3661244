import CoreMetrics
import Synchronization

/// The stored values of one time series.
protocol Measured: Sendable {
  func samples(_ labels: [(name: String, value: String)]) -> [PrometheusText.Sample]
}

/// A counter, whose value only increases.
final class Sum: Measured, CounterHandler {
  private let value = Mutex<Int64>(0)

  func increment(by amount: Int64) {
    value.withLock { $0 = $0.addingReportingOverflow(amount).overflow ? .max : $0 + amount }
  }

  func reset() { value.withLock { $0 = 0 } }

  func samples(_ labels: [(name: String, value: String)]) -> [PrometheusText.Sample] {
    [.init(labels, Double(value.withLock { $0 }))]
  }
}

/// A gauge, whose value can increase and decrease.
final class Level: Measured, RecorderHandler, MeterHandler {
  private let value = Mutex<Double>(0)

  func record(_ value: Int64) { set(Double(value)) }
  func record(_ value: Double) { set(value) }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { self.value.withLock { $0 = value } }
  func increment(by amount: Double) { value.withLock { $0 += amount } }
  func decrement(by amount: Double) { value.withLock { $0 -= amount } }

  func samples(_ labels: [(name: String, value: String)]) -> [PrometheusText.Sample] {
    [.init(labels, value.withLock { $0 })]
  }
}

/// A histogram: the number of values up to each bound, the total number of values, and the sum of
/// all values.
///
/// A timer's values are in seconds.
final class Histogram: Measured, RecorderHandler, TimerHandler {
  /// The upper bounds of the buckets in seconds, from 1 ms to 30 min.
  static let bounds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800,
  ]

  private struct State {
    var counts = [Int64](repeating: 0, count: Histogram.bounds.count + 1)
    var sum = 0.0
  }

  private let state = Mutex(State())

  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    let place = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
    state.withLock {
      $0.counts[place] += 1
      $0.sum += value
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1_000_000_000) }

  func samples(_ labels: [(name: String, value: String)]) -> [PrometheusText.Sample] {
    let state = state.withLock { $0 }
    var count: Int64 = 0
    var samples: [PrometheusText.Sample] = []
    for (bound, own) in zip(Self.bounds + [.infinity], state.counts) {
      count += own
      let le = [(name: "le", value: PrometheusText.number(bound))]
      samples.append(.init(labels + le, Double(count), suffix: "_bucket"))
    }
    return samples + [
      .init(labels, state.sum, suffix: "_sum"), .init(labels, Double(count), suffix: "_count"),
    ]
  }
}
