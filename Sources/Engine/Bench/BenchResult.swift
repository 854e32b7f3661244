import Foundation

/// What one case came to.
package struct BenchResult: Sendable {
  /// The case.
  package let name: String
  /// What is counted.
  package let unit: String
  /// Connections of each side.
  package let connections: Int
  /// Every measurement of ours, in order.
  package let ours: [Double]
  /// Every measurement of the other side; empty where there is none.
  package let raw: [Double]
  /// What else the case says of our side.
  package var notes: [BenchNote] = []

  /// The median of ours divided by the median of the other side.
  package var ratio: Double? { raw.isEmpty ? nil : ours.median / raw.median }

  /// How far the pairs lie apart: the widest difference of their ratios (of ours, where there is no
  /// other side) as a part of their median.
  package var spread: Double {
    let values = raw.isEmpty ? ours : zip(ours, raw).map { $0 / $1 }
    guard let least = values.min(), let most = values.max(), values.median > 0 else { return 0 }
    return (most - least) / values.median
  }

  /// `{"case","ours","raw","ratio","spread","unit","connections"}` and the notes on one line.
  package var jsonLine: String {
    """
    {"case":"\(name)","ours":\(ours.median.digits(1)),\
    "raw":\(raw.isEmpty ? "null" : raw.median.digits(1)),\
    "ratio":\(ratio.map { $0.digits(3) } ?? "null"),"spread":\(spread.digits(3)),\
    "unit":"\(unit)","connections":\(connections)\
    \(notes.map { ",\"\($0.name)\":\($0.value.digits(1))" }.joined())}
    """
  }

  /// One line of the table, and one for the notes.
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

  /// The names of the table's columns.
  package static let tableHeader = [
    "case".padded(to: 24), "ours".padded(to: -10), "raw".padded(to: -10), "ratio".padded(to: -7),
    "spread".padded(to: -8), " " + "unit".padded(to: 10), "conn".padded(to: -4),
  ].joined(separator: " ")
}

extension [Double] {
  /// The middle one, or the mean of the two in the middle; 0 of nothing.
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
  /// Left-aligned in a column of this width; right-aligned where it is negative.
  func padded(to width: Int) -> String {
    let space = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? space + self : self + space
  }
}
