extension Oracle {
  /// Describes the differences between two lists of rows, for the message of a failed test.
  ///
  /// The order of the rows does not matter, but a repeated row is a difference.
  ///
  /// - Parameters:
  ///   - expected: the rows of the oracle.
  ///   - actual: the rows of the system under test.
  ///   - limit: the maximum number of differences that are described.
  /// - Returns: one sentence per difference, ordered by group, week, type and member, and one
  ///   sentence with the number of omitted differences. The result is empty if there are no
  ///   differences.
  package static func difference(
    expected: [BoardRow], actual: [BoardRow], limit: Int = 20
  ) -> [String] {
    let expectedAt = Dictionary(grouping: expected, by: OraclePlace.init)
    let actualAt = Dictionary(grouping: actual, by: OraclePlace.init)
    let different = Set(expectedAt.keys).union(actualAt.keys).filter {
      expectedAt[$0, default: []].sorted() != actualAt[$0, default: []].sorted()
    }
    let told = different.sorted().prefix(limit).map {
      "\($0): expected \(list(expectedAt[$0])), found \(list(actualAt[$0]))"
    }
    let untold = different.count - told.count
    return untold > 0 ? told + ["and \(untold) more that differ"] : told
  }

  private static func list(_ rows: [BoardRow]?) -> String {
    guard let rows else { return "no row" }
    return rows.sorted().map(\.standing).joined(separator: " and ")
  }
}

/// The member and the board of a row.
private struct OraclePlace: Hashable, Comparable, CustomStringConvertible {
  let group: Name
  let weekStart: String
  let type: BoardRow.Kind
  let member: Name

  init(of row: BoardRow) {
    group = row.group
    weekStart = row.weekStart
    type = row.type
    member = row.member
  }

  var description: String { "\(group) \(weekStart) \(type.rawValue) \(member)" }

  static func < (left: OraclePlace, right: OraclePlace) -> Bool {
    if left.group != right.group { return left.group < right.group }
    if left.weekStart != right.weekStart { return left.weekStart < right.weekStart }
    if left.type != right.type { return left.type < right.type }
    return left.member < right.member
  }
}
