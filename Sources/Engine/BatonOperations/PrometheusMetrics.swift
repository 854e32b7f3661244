public import CoreMetrics
import Synchronization

/// The metrics that a program reports to swift-metrics, stored in memory until they are scraped.
///
/// More than 1,000 combinations of labels in one family are a programming error, and could exhaust
/// memory. Combinations above this limit are not stored, but their number is exported.
public final class PrometheusMetrics: MetricsFactory {
  /// The maximum number of label combinations in one family.
  static let mostSeries = 1_000

  private struct Series: Hashable {
    let labels: [String]
    init(_ dimensions: [(String, String)]) {
      labels = dimensions.flatMap { [$0.0, $0.1] }
    }
    var pairs: [(name: String, value: String)] {
      stride(from: 0, to: labels.count, by: 2).map {
        (PrometheusMetrics.name(labels[$0]), labels[$0 + 1])
      }
    }
  }

  private struct Family {
    let kind: PrometheusText.Kind
    var series: [Series: any Measured] = [:]
  }

  private struct State {
    var families: [String: Family] = [:]
    var refused = 0
  }

  private let state = Mutex(State())

  /// Creates an object without metrics.
  public init() {}

  // MARK: MetricsFactory

  /// Creates a counter.
  ///
  /// A counter's name ends with `_total`.
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler {
    measured(Self.name(label, suffix: "_total"), .counter, dimensions) { Sum() }
  }

  /// Creates a histogram if `aggregate` is true, or a gauge.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler {
    guard aggregate else { return measured(Self.name(label), .gauge, dimensions) { Level() } }
    return measured(Self.name(label), .histogram, dimensions) { Histogram() }
  }

  /// Creates a gauge.
  public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    measured(Self.name(label), .gauge, dimensions) { Level() }
  }

  /// Creates a histogram of seconds.
  ///
  /// The histogram's name ends with `_seconds`.
  public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    measured(Self.name(label, suffix: "_seconds"), .histogram, dimensions) { Histogram() }
  }

  /// Does nothing, because a counter must not lose its value.
  public func destroyCounter(_ handler: any CounterHandler) {}
  /// Does nothing, because the recorded values are still exported.
  public func destroyRecorder(_ handler: any RecorderHandler) {}
  /// Does nothing, because the last value is still exported.
  public func destroyMeter(_ handler: any MeterHandler) {}
  /// Does nothing, because the recorded values are still exported.
  public func destroyTimer(_ handler: any TimerHandler) {}

  /// Returns the series with the given name and labels.
  ///
  /// A new series is not exported if its family already has 1,000 series. A new series is also not
  /// exported if its name belongs to a metric of another kind.
  private func measured<M: Measured>(
    _ name: String, _ kind: PrometheusText.Kind, _ dimensions: [(String, String)],
    _ make: () -> M
  ) -> M {
    state.withLock { state in
      let series = Series(dimensions)
      var family = state.families[name] ?? Family(kind: kind)
      if let known = family.series[series] as? M { return known }
      let new = make()
      guard family.kind == kind, family.series[series] == nil,
        family.series.count < Self.mostSeries
      else {
        state.refused += 1
        return new
      }
      family.series[series] = new
      state.families[name] = family
      return new
    }
  }

  // MARK: Export

  /// Writes all metrics, ordered by name and labels.
  package func write(to text: inout PrometheusText) {
    let (families, refused) = state.withLock { ($0.families, $0.refused) }
    for (name, family) in families.sorted(by: { $0.key < $1.key }) {
      let series = family.series.sorted { $0.key.labels.lexicographicallyPrecedes($1.key.labels) }
      text.add(
        name, Self.helps[name] ?? "Reported by the program.",
        series.flatMap { $0.value.samples($0.key.pairs) }, as: family.kind)
    }
    text.add(
      "baton_series_refused_total",
      "Number of dropped series of names with more than 1,000 series.", Double(refused),
      as: .counter)
  }

  private static let helps = [
    "baton_run_wait_seconds": "Time between a run's due time and its start in this worker.",
    "baton_attempt_seconds":
      "Duration of each batch or effect in this worker.",
    "baton_runs_total": "Number of runs that ended in this worker, by result.",
    "baton_api_requests_total": "Number of API responses, by route and status.",
    "baton_api_request_seconds": "Time from a complete API request to its response.",
    "baton_api_streams": "Number of open streams.",
    "baton_api_stream_events_total": "Number of events sent to streams, by route.",
    "baton_api_encoded_topics_total":
      "Number of encoded versions of topics, each shared by all streams of its topic.",
  ]

  /// Returns a name that Prometheus accepts.
  static func name(_ label: String, suffix: String = "") -> String {
    var name = String(
      label.unicodeScalars.map {
        $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == "_")
          ? Character($0) : "_"
      })
    if name.first?.isNumber ?? true { name = "_" + name }
    return name.hasSuffix(suffix) ? name : name + suffix
  }
}
