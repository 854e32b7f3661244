/// A text table with aligned columns and a heading, for commands that print lists.
///
/// ```
/// JOB        KIND   LAST RUN
/// send-mail  effect 2026-01-05T10:00:00Z
/// ```
/// Column widths are counted in characters, not bytes. An empty cell is printed as `-`, so that
/// each row has the same number of words. A line break in a cell is escaped, so that each row is
/// one line.
struct TextTable {
  private let rows: [[String]]

  /// Creates a table whose first row is the heading.
  init(_ heading: [String], _ rows: [[String?]]) {
    self.rows =
      [heading]
      + rows.map { $0.map { $0.flatMap { $0.isEmpty ? nil : $0.printable() } ?? "-" } }
  }

  /// The heading and the rows of the table as lines of text.
  ///
  /// No line ends with spaces.
  var lines: [String] {
    let widths = (rows.first ?? []).indices.map { column in
      rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
      let padded = zip(row.dropLast(), widths).map { cell, width in
        cell + String(repeating: " ", count: width - cell.count)
      }
      return (padded + row.suffix(1)).joined(separator: "  ")
    }
  }
}

extension Console {
  /// Writes a list as a table, or as one JSON object per line if `json` is true.
  ///
  /// - Parameters:
  ///   - isFirst: false for a later page of a list, which has no heading. Each page has its own
  ///     column widths.
  ///   - none: the text that is written if the list is empty.
  static func write<Item: Encodable>(
    _ items: [Item], isFirst: Bool = true, json: Bool, none: String, heading: [String],
    cells: (Item) -> [String?]
  ) throws {
    guard !json else { return try items.forEach { write(try jsonLine($0)) } }
    guard !items.isEmpty else { return write(none) }
    let lines = TextTable(heading, items.map(cells)).lines
    for line in lines.dropFirst(isFirst ? 0 : 1) { write(line) }
  }
}
