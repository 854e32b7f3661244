public import BatonPostgres

/// A table of a page; on a narrow screen the table scrolls sideways, not the page.
public struct PageTable: Sendable {
  /// One column.
  public struct Column: Sendable {
    let title: String
    let isNumber: Bool

    /// A column of texts.
    public static func text(_ title: String) -> Column { Column(title: title, isNumber: false) }
    /// A column of numbers, which are aligned right.
    public static func number(_ title: String) -> Column { Column(title: title, isNumber: true) }
  }

  private let caption: String
  private let columns: [Column]
  private var rows: [[Markup]] = []

  /// A table without rows.
  ///
  /// - Parameter caption: the contents of the table, also for screen readers.
  public init(_ caption: String, _ columns: Column...) {
    self.caption = caption
    self.columns = columns
  }

  /// Adds a row with one cell per column; the first cell names the row.
  public mutating func add(_ cells: Markup...) { rows.append(cells) }

  /// The table, or a sentence if it has no rows.
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

/// A state in a word and a colour; the colour says nothing that the word does not say.
public enum Tone: String, Sendable {
  /// As it should be, or without meaning.
  case good, plain
  /// Check it today (`warning`), or now (`critical`).
  case warning, critical
}

/// A word with a tone.
public func badge(_ word: String, _ tone: Tone = .plain) -> Markup {
  tag("span", ["class": "badge \(tone.rawValue)"], word)
}

/// Names and their values, one per line; a nil value is left out.
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

/// A part of a page under a heading.
public func section(_ title: String, @MarkupBuilder _ content: () -> Markup) -> Markup {
  tag("section") {
    tag("h2", [:], title)
    content()
  }
}

/// An instant of the server in UTC, to the second.
public func instant(_ instant: Timestamp) -> Markup {
  let text = instant.isoText
  return tag("time", ["datetime": text], text.prefix(19).replacing("T", with: " ") + "Z")
}

/// An instant or a dash.
public func instant(_ instant: Timestamp?) -> Markup {
  instant.map { BatonOperations.instant($0) } ?? Markup("–")
}
