/// Metric samples in the Prometheus text format, version 0.0.4.
///
/// Each family is written once, with its help text and type.
package struct PrometheusText {
  /// The content type of the text.
  package static let type = "text/plain; version=0.0.4; charset=utf-8"

  /// The type of a metric family.
  package enum Kind: String { case gauge, counter, histogram }

  package private(set) var text = ""

  /// Creates a text without samples.
  package init() {}

  /// Writes one family, or nothing if the family has no samples.
  ///
  /// - Parameters:
  ///   - name: the family's name, which consists of letters, digits and `_`.
  ///   - samples: the values with their labels. Values that are nil are omitted.
  package mutating func add(
    _ name: String, _ help: String, _ samples: [Sample], as kind: Kind = .gauge
  ) {
    let samples = samples.filter { $0.value != nil }
    guard !samples.isEmpty else { return }
    text += "# HELP \(name) \(Self.escaped(help: help))\n# TYPE \(name) \(kind.rawValue)\n"
    for sample in samples {
      text += name + sample.suffix + Self.braced(sample.labels)
      text += " \(Self.number(sample.value ?? 0))\n"
    }
  }

  /// Writes one value without labels.
  package mutating func add(
    _ name: String, _ help: String, _ value: Double?, as kind: Kind = .gauge
  ) {
    add(name, help, [Sample([], value)], as: kind)
  }

  /// A value and its labels.
  package struct Sample {
    let labels: [(name: String, value: String)]
    let value: Double?
    /// The suffix of a histogram's sample: `_bucket`, `_sum` or `_count`.
    let suffix: String

    init(_ labels: [(name: String, value: String)], _ value: Double?, suffix: String = "") {
      self.labels = labels
      self.value = value
      self.suffix = suffix
    }
  }

  private static func braced(_ labels: [(name: String, value: String)]) -> String {
    guard !labels.isEmpty else { return "" }
    let pairs = labels.map { "\($0.name)=\"\(escaped(label: $0.value))\"" }
    return "{" + pairs.joined(separator: ",") + "}"
  }

  /// Escapes a label's value, because an unescaped quote or line break would end the value.
  static func escaped(label: String) -> String {
    escaped(label, ["\\": "\\\\", "\n": "\\n", "\"": "\\\""])
  }

  static func escaped(help: String) -> String {
    escaped(help, ["\\": "\\\\", "\n": "\\n"])
  }

  /// Escapes single Unicode scalars instead of `Character` values.
  ///
  /// One `Character` can combine a quote with another scalar, or a line break with another scalar.
  private static func escaped(_ text: String, _ escapes: [Unicode.Scalar: String]) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      if let escape = escapes[scalar] {
        escaped += escape
      } else {
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Returns a number as text.
  ///
  /// A whole number has no decimal point, and other numbers have the shortest exact form.
  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if value == value.rounded(), abs(value) < 9_007_199_254_740_992 { return "\(Int64(value))" }
    return "\(value)"
  }
}
