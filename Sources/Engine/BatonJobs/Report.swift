/// A run's result: named counts, in the order in which they were first added.
///
/// ```swift
/// let report: Report = ["parcels sent": 12, "kept": 24]
/// ```
public struct Report: Sendable, Equatable {
  /// A named count.
  public struct Count: Sendable, Equatable {
    /// The name of the count, as written after the number, such as `parcels sent`.
    public let name: String
    /// The value of the count.
    public internal(set) var value: Int
  }

  /// The counts in the order in which their names were first added.
  ///
  /// Each name occurs once.
  public private(set) var counts: [Count] = []

  /// Creates a report without counts.
  public init() {}

  /// Whether the report has no counts, not even counts of zero.
  public var isEmpty: Bool { counts.isEmpty }

  /// Whether all counts in the report are zero, which means that the run did nothing.
  public var isAllZero: Bool { counts.allSatisfy { $0.value == 0 } }

  /// The value of the count with this name, or zero if the report does not contain this name.
  public subscript(name: String) -> Int { counts.first { $0.name == name }?.value ?? 0 }

  /// Adds a number to the count with this name.
  public mutating func add(_ value: Int, _ name: String) {
    if let index = counts.firstIndex(where: { $0.name == name }) {
      counts[index].value += value
    } else {
      counts.append(Count(name: name, value: value))
    }
  }

  /// Adds the value of each count in `right` to the count with the same name in `left`.
  ///
  /// Counts that exist only in `right` are appended to the counts of `left`.
  public static func + (left: Report, right: Report) -> Report {
    right.counts.reduce(into: left) { sum, count in sum.add(count.value, count.name) }
  }

  /// Adds the counts of another report.
  public static func += (left: inout Report, right: Report) { left = left + right }
}

extension Report: ExpressibleByDictionaryLiteral {
  /// Creates a report from literal counts, and adds up the counts that have the same name.
  public init(dictionaryLiteral elements: (String, Int)...) {
    for (name, value) in elements { add(value, name) }
  }
}

extension Report: CustomStringConvertible {
  /// The counts as text: `12 parcels sent, 24 kept`.
  ///
  /// If a count is 1 and the first word of its name ends in s, that word becomes singular:
  /// `1 parcel sent`, `1 entry`, `1 batch`.
  public var description: String {
    counts.map { counted($0.value, Self.singular($0.name), $0.name) }.joined(separator: ", ")
  }

  private static func singular(_ name: String) -> String {
    let first = name.prefix { $0 != " " }
    guard first.hasSuffix("s"), !first.hasSuffix("ss") else { return name }
    let rest = name.dropFirst(first.count)
    if first.count > 4, first.hasSuffix("ies") { return "\(first.dropLast(3))y\(rest)" }
    let ending = ["ches", "shes", "sses", "xes"].contains(where: first.hasSuffix) ? 2 : 1
    return "\(first.dropLast(ending))\(rest)"
  }
}

extension Report: Encodable {
  /// Encodes the report as a JSON object.
  ///
  /// If the encoder preserves the order of keys, the names are in the report's order.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Name.self)
    for count in counts { try container.encode(count.value, forKey: Name(count.name)) }
  }

  private struct Name: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(_ name: String) { stringValue = name }
    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { nil }
  }

  /// A JSON object with the counts, in the report's order.
  public var json: String {
    "{" + counts.map { "\(Self.quoted($0.name)):\($0.value)" }.joined(separator: ",") + "}"
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      // NUL characters are removed from names, because PostgreSQL cannot store NUL and the run
      // would fail.
      case "\0": ""
      case "\"": "\\\""
      case "\\": "\\\\"
      case _ where scalar.value < 32:
        "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      default: String(scalar)
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
