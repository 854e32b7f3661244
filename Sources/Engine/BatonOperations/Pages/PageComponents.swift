public import BatonPostgres

/// A table on a dashboard page.
///
/// On a narrow screen, only the table scrolls horizontally, instead of the whole page.
public struct PageTable: Sendable {
  /// A column of a table.
  public struct Column: Sendable {
    let title: String
    let isNumber: Bool

    /// Returns a column of left-aligned text.
    public static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    /// Returns a column of right-aligned numbers.
    public static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  private let caption: String
  private let columns: [Column]
  private var rows: [[Markup]] = []

  /// Creates a table without rows.
  ///
  /// - Parameter caption: a description of the table, also for screen readers.
  public init(_ caption: String, _ columns: Column...) {
    self.caption = caption
    self.columns = columns
  }

  /// Adds a row with one cell per column.
  ///
  /// The first cell is the row's heading.
  public mutating func add(_ cells: Markup...) { rows.append(cells) }

  /// Returns the table as markup, or the given sentence if the table has no rows.
  public func markup(orElse nothing: String) -> Markup {
    guard !rows.isEmpty else { return tag("p", ["class": "nothing"], nothing) }
    return tag(
      "div", ["class": "scroll", "role": "region", "tabindex": "0", "aria-label": caption]
    ) {
      tag("table") {
        tag("caption", [:], caption)
        tag("thead") { tag("tr") { columns.map(head) } }
        tag("tbody") { rows.map(body) }
      }
    }
  }

  private func head(_ column: Column) -> Markup {
    tag("th", ["scope": "col", "class": column.isNumber ? "number" : nil], column.title)
  }

  private func body(_ cells: [Markup]) -> Markup {
    tag("tr") {
      zip(columns, cells).enumerated().map { index, pair in
        let `class` = pair.0.isNumber ? "number" : nil
        return index == 0
          ? tag("th", ["scope": "row", "class": `class`]) { pair.1 }
          : tag("td", ["class": `class`]) { pair.1 }
      }
    }
  }
}

/// The meaning of a state, shown as a colour.
///
/// The colour does not add any information, because the coloured word already names the state.
public enum Tone: String, Sendable {
  /// `good` means a normal state. `plain` means that the coloured word does not say whether the
  /// state is normal.
  case good, plain
  /// An operator must check the state today (`warning`) or immediately (`critical`).
  case warning, critical
}

/// Returns a word as a badge in the colour of a tone.
public func badge(_ word: String, _ tone: Tone = .plain) -> Markup {
  tag("span", ["class": "badge \(tone.rawValue)"], word)
}

/// Returns a list of names and values, one per line.
///
/// Values that are nil are omitted.
public func facts(_ pairs: [(String, Markup?)]) -> Markup {
  tag("dl", ["class": "facts"]) {
    pairs.map { name, value in
      value.map { value in
        tag("div") {
          tag("dt", [:], name)
          tag("dd") { value }
        }
      }
    }.compactMap { $0 }
  }
}

/// Returns a page section with a heading.
public func section(_ title: String, @MarkupBuilder _ content: () -> Markup) -> Markup {
  tag("section") {
    tag("h2", [:], title)
    content()
  }
}

/// Returns a time as text in UTC, to the second.
public func instant(_ instant: Timestamp) -> Markup {
  let text = instant.isoText
  return tag("time", ["datetime": text], text.prefix(19).replacing("T", with: " ") + "Z")
}

/// Returns a time as text, or a dash for nil.
public func instant(_ instant: Timestamp?) -> Markup {
  instant.map { BatonOperations.instant($0) } ?? Markup("–")
}
