import Foundation

/// The result of one case.
package struct BenchResult: Sendable {
  /// The name of the case.
  package let name: String
  /// The unit of the values.
  package let unit: String
  /// The number of connections for each side of the comparison.
  package let connections: Int
  /// All values measured for Baton, in order.
  package let ours: [Double]
  /// All values measured for the side that the case compares with Baton, or an empty list if the
  /// case measures only Baton.
  package let raw: [Double]
  /// Additional figures about Baton's measurements.
  package var notes: [BenchNote] = []

  /// The median of Baton's values divided by the median of the raw side's values.
  ///
  /// If the case measures only Baton, the ratio is nil.
  package var ratio: Double? { raw.isEmpty ? nil : ours.median / raw.median }

  /// The difference between the highest and the lowest ratio of all pairs, divided by the median
  /// ratio.
  ///
  /// If the case measures only Baton, the spread is computed from Baton's values instead of the
  /// ratios.
  package var spread: Double {
    let values = raw.isEmpty ? ours : zip(ours, raw).map { $0 / $1 }
    guard let least = values.min(), let most = values.max(), values.median > 0 else { return 0 }
    return (most - least) / values.median
  }

  /// The result as one line of JSON with case, values, ratio, spread, unit, connections and notes.
  package var jsonLine: String {
    """
    {"case":"\(name)","ours":\(ours.median.digits(1)),\
    "raw":\(raw.isEmpty ? "null" : raw.median.digits(1)),\
    "ratio":\(ratio.map { $0.digits(3) } ?? "null"),"spread":\(spread.digits(3)),\
    "unit":"\(unit)","connections":\(connections)\
    \(notes.map { ",\"\($0.name)\":\($0.value.digits(1))" }.joined())}
    """
  }

  /// The result as one line of the table, with a second line if notes exist.
  package var tableLine: String {
    let columns = [
      name.padded(to: 24), ours.median.digits(0).padded(to: -10),
      (raw.isEmpty ? "-" : raw.median.digits(0)).padded(to: -10),
      (ratio.map { $0.digits(2) } ?? "-").padded(to: -7),
      (spread * 100).digits(0).padded(to: -6) + " %", " " + unit.padded(to: 10),
      "\(connections)".padded(to: -4),
    ]
    let said = notes.map { "\($0.name) \($0.value.digits(1))" }.joined(separator: ", ")
    return columns.joined(separator: " ") + (said.isEmpty ? "" : "\n  " + said)
  }

  /// The header line of the table.
  package static let tableHeader = [
    "case".padded(to: 24), "ours".padded(to: -10), "raw".padded(to: -10), "ratio".padded(to: -7),
    "spread".padded(to: -8), " " + "unit".padded(to: 10), "conn".padded(to: -4),
  ].joined(separator: " ")
}

extension [Double] {
  /// The median: the middle value or the mean of the two middle values, or 0 for an empty array.
  var median: Double {
    let sorted = sorted()
    guard !sorted.isEmpty else { return 0 }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

extension Double {
  func digits(_ count: Int) -> String { String(format: "%.\(count)f", self) }
}

extension String {
  /// Pads the text to a column width.
  ///
  /// The text is left-aligned, or right-aligned if the width is negative.
  func padded(to width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? space + self : self + space
  }
}
