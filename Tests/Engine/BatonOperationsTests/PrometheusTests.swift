import CoreMetrics
import Testing

@testable import BatonOperations

/// The text for Prometheus.
@Suite struct PrometheusTests {
  @Test func `a family has its help and type once, and values what they are`() {
    var text = PrometheusText()
    text.add(
      "a_seconds", "How long\nit \\ takes.",
      [
        .init([("job", "one"), ("state", "ready")], 1.5), .init([("job", "two")], nil),
        .init([("job", "a\"b\\c\nd}")], 3), .init([("job", "é")], .infinity),
        // Each quote or line break is one `Character` together with the next or previous scalar.
        .init([("job", "a\"\u{301}\r\nb")], 4),
      ])
    text.add("b_total", "B.", 12_345_678, as: .counter)
    text.add("nothing", "No sample.", nil)
    #expect(
      text.text == #"""
        # HELP a_seconds How long\nit \\ takes.
        # TYPE a_seconds gauge
        a_seconds{job="one",state="ready"} 1.5
        a_seconds{job="a\"b\\c\nd}"} 3
        a_seconds{job="é"} +Inf
        a_seconds{job="a\#("\\\"\u{301}\r\\n")b"} 4
        # HELP b_total B.
        # TYPE b_total counter
        b_total 12345678

        """#)
  }

  @Test(
    arguments: [
      (0, "0"), (-0.0, "0"), (0.1, "0.1"), (1e-9, "1e-09"), (1e300, "1e+300"), (-7, "-7"),
      (.nan, "NaN"), (-.infinity, "-Inf"), (0.1 + 0.2, "0.30000000000000004"),
    ] as [(Double, String)])
  func `a number is what it was`(value: Double, text: String) {
    #expect(PrometheusText.number(value) == text)
  }

  @Test func `what is measured is told, by name and labels`() {
    let metrics = PrometheusMetrics()
    let timer = CoreMetrics.Timer(label: "wait", dimensions: [("job", "j")], factory: metrics)
    timer.recordNanoseconds(2_000_000)
    timer.recordNanoseconds(3_000_000_000)
    timer.recordNanoseconds(3_600_000_000_000)
    // A second handle of the same series.
    for amount in [2, 3] {
      Counter(label: "runs", dimensions: [("job", "j")], factory: metrics).increment(by: amount)
    }
    Gauge(label: "9 level-x", factory: metrics).record(2.5)
    var text = PrometheusText()
    metrics.write(to: &text)
    let buckets = Histogram.bounds.map { bound in
      let count = bound < 0.002 ? 0 : bound < 3 ? 1 : 2
      return #"wait_seconds_bucket{job="j",le="\#(PrometheusText.number(bound))"} \#(count)"#
    }
    #expect(
      text.text
        == """
        # HELP _9_level_x Reported by the program.
        # TYPE _9_level_x gauge
        _9_level_x 2.5
        # HELP runs_total Reported by the program.
        # TYPE runs_total counter
        runs_total{job="j"} 5
        # HELP wait_seconds Reported by the program.
        # TYPE wait_seconds histogram
        \(buckets.joined(separator: "\n"))
        wait_seconds_bucket{job="j",le="+Inf"} 3
        wait_seconds_sum{job="j"} 3603.002
        wait_seconds_count{job="j"} 3
        # HELP baton_series_refused_total Number of dropped series of names with more than 1,000 series.
        # TYPE baton_series_refused_total counter
        baton_series_refused_total 0

        """)
  }

  @Test func `a label with too many values does not fill the memory`() {
    let metrics = PrometheusMetrics()
    for number in 1...PrometheusMetrics.mostSeries + 7 {
      Counter(label: "c", dimensions: [("key", "\(number)")], factory: metrics).increment()
    }
    var text = PrometheusText()
    metrics.write(to: &text)
    let lines = text.text.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("c_total{") }.count == PrometheusMetrics.mostSeries)
    #expect(lines.last == "baton_series_refused_total 7")
  }

  @Test func `a name that is one of another kind is told to nobody`() {
    let metrics = PrometheusMetrics()
    Gauge(label: "a_total", factory: metrics).record(4)
    Counter(label: "a", factory: metrics).increment(by: 9)
    var text = PrometheusText()
    metrics.write(to: &text)
    #expect(text.text.contains("# TYPE a_total gauge\na_total 4\n"))
    #expect(text.text.contains("baton_series_refused_total 1\n"))
  }
}
