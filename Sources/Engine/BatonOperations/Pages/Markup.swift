/// A piece of a page.
///
/// Text comes in by escaping alone: there is no way to make markup of a string, so what a key, an error or a member's
/// name holds is read and never run.
public struct Markup: Sendable {
  /// As it is sent.
  var html: String

  /// Nothing.
  public init() { html = "" }

  /// A text as it is read.
  public init(_ text: some StringProtocol) { html = Self.escaped(text) }

  private init(html: String) { self.html = html }

  /// Pieces behind each other.
  public static func + (one: Markup, other: Markup) -> Markup {
    Markup(html: one.html + other.html)
  }

  /// Without what ends a text or an attribute's value, and without characters that no page may hold.
  static func escaped(_ text: some StringProtocol) -> String {
    var escaped = ""
    escaped.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&#39;"
      case "\n", "\t": escaped.unicodeScalars.append(scalar)
      case "\u{0}"..<"\u{20}", "\u{7f}"..<"\u{a0}": escaped += "\u{fffd}"
      // These turn around how the text beside them is read.
      case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Elements that have no end.
  private static let empty: Set = ["br", "col", "input", "link", "meta"]

  fileprivate static func element(
    _ name: StaticString, _ attributes: Attributes, _ content: Markup
  ) -> Markup {
    var html = "<\(name)"
    for (attribute, value) in attributes {
      guard let value else { continue }
      html += " \(attribute)=\"\(escaped(value))\""
    }
    html += ">"
    guard !empty.contains("\(name)") else { return Markup(html: html) }
    return Markup(html: html + content.html + "</\(name)>")
  }

  /// A whole page.
  static func document(_ content: Markup) -> String { "<!doctype html>\n" + content.html + "\n" }
}

/// An element's attributes; one with nil is left out.
///
/// Links are made by `link(_:to:)` and ``Link``.
public typealias Attributes = KeyValuePairs<StaticString, String?>

/// An element of a page.
///
/// - Parameter content: what stands in it.
public func tag(
  _ name: StaticString, _ attributes: Attributes = [:], @MarkupBuilder _ content: () -> Markup
) -> Markup {
  Markup.element(name, attributes, content())
}

/// An element of a page with a text, or with nothing.
public func tag(
  _ name: StaticString, _ attributes: Attributes = [:], _ text: String = ""
) -> Markup {
  Markup.element(name, attributes, Markup(text))
}

/// Pieces of a page, one a line; a `String` is a text.
@resultBuilder
public enum MarkupBuilder {
  /// A text.
  public static func buildExpression(_ text: String) -> Markup { Markup(text) }
  /// A piece.
  public static func buildExpression(_ piece: Markup) -> Markup { piece }
  /// Pieces behind each other.
  public static func buildExpression(_ pieces: [Markup]) -> Markup {
    pieces.reduce(into: Markup()) { $0 = $0 + $1 }
  }
  /// A piece or nothing.
  public static func buildExpression(_ piece: Markup?) -> Markup { piece ?? Markup() }
  /// Pieces behind each other.
  public static func buildBlock(_ pieces: Markup...) -> Markup { buildExpression(pieces) }
  /// Nothing where there is none.
  public static func buildOptional(_ piece: Markup?) -> Markup { piece ?? Markup() }
  /// One of two.
  public static func buildEither(first piece: Markup) -> Markup { piece }
  /// One of two.
  public static func buildEither(second piece: Markup) -> Markup { piece }
  /// One for each.
  public static func buildArray(_ pieces: [Markup]) -> Markup { buildExpression(pieces) }
}
