/// A piece of a page.
///
/// Text is always escaped, and markup cannot be made from a string. The contents of a key, an error or a member's name
/// are therefore displayed and never executed.
public struct Markup: Sendable {
  /// The HTML, as it is sent.
  var html: String

  /// An empty piece.
  public init() { html = "" }

  /// A text, which is escaped.
  public init(_ text: some StringProtocol) { html = Self.escaped(text) }

  private init(html: String) { self.html = html }

  /// Two pieces, one after the other.
  public static func + (one: Markup, other: Markup) -> Markup {
    Markup(html: one.html + other.html)
  }

  /// Escapes the characters that end a text or an attribute's value, and replaces those that a page must not contain.
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
      // These characters change the reading direction of the text around them.
      case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// Elements without an end tag.
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

/// An element's attributes; an attribute with nil is left out.
///
/// Links are made by `link(_:to:)` and ``Link``.
public typealias Attributes = KeyValuePairs<StaticString, String?>

/// An element of a page.
///
/// - Parameter content: the contents of the element.
public func tag(
  _ name: StaticString, _ attributes: Attributes = [:], @MarkupBuilder _ content: () -> Markup
) -> Markup {
  Markup.element(name, attributes, content())
}

/// An element of a page with a text, or without content.
public func tag(
  _ name: StaticString, _ attributes: Attributes = [:], _ text: String = ""
) -> Markup {
  Markup.element(name, attributes, Markup(text))
}

/// Pieces of a page, one per line; a `String` is a text.
@resultBuilder
public enum MarkupBuilder {
  /// A text.
  public static func buildExpression(_ text: String) -> Markup { Markup(text) }
  /// A piece.
  public static func buildExpression(_ piece: Markup) -> Markup { piece }
  /// Pieces, one after the other.
  public static func buildExpression(_ pieces: [Markup]) -> Markup {
    pieces.reduce(into: Markup()) { $0 = $0 + $1 }
  }
  /// A piece or nothing.
  public static func buildExpression(_ piece: Markup?) -> Markup { piece ?? Markup() }
  /// Pieces, one after the other.
  public static func buildBlock(_ pieces: Markup...) -> Markup { buildExpression(pieces) }
  /// The piece, or an empty one.
  public static func buildOptional(_ piece: Markup?) -> Markup { piece ?? Markup() }
  /// One of two.
  public static func buildEither(first piece: Markup) -> Markup { piece }
  /// One of two.
  public static func buildEither(second piece: Markup) -> Markup { piece }
  /// One piece for each element.
  public static func buildArray(_ pieces: [Markup]) -> Markup { buildExpression(pieces) }
}
