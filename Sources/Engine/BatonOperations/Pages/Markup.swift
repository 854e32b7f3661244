/// A fragment of an HTML page.
///
/// Text is always escaped, and markup cannot be created from a string. HTML and scripts in a key,
/// an error or a name are displayed as text and never executed.
public struct Markup: Sendable {
  /// The HTML of the fragment.
  var html: String

  /// Creates an empty fragment.
  public init() { html = "" }

  /// Creates a fragment from a string, which is escaped.
  public init(_ text: some StringProtocol) { html = Self.escaped(text) }

  private init(html: String) { self.html = html }

  /// Concatenates two fragments.
  public static func + (one: Markup, other: Markup) -> Markup {
    Markup(html: one.html + other.html)
  }

  /// Escapes characters that end a text or an attribute's value, and replaces characters that a
  /// page must not contain.
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
      // The characters in the two ranges would change the reading direction of the surrounding
      // text.
      case "\u{202a}"..."\u{202e}", "\u{2066}"..."\u{2069}": escaped += "\u{fffd}"
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  /// The names of elements without an end tag.
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

  /// Returns a whole HTML document.
  static func document(_ content: Markup) -> String { "<!doctype html>\n" + content.html + "\n" }
}

/// The attributes of an element.
///
/// Attributes that are nil are omitted.
///
/// Create links with `link(_:to:)` and ``Link``, not with an attribute.
public typealias Attributes = KeyValuePairs<StaticString, String?>

/// Returns an element with the given content.
///
/// - Parameter content: returns the content of the element.
public func tag(
  _ name: StaticString, _ attributes: Attributes = [:], @MarkupBuilder _ content: () -> Markup
) -> Markup {
  Markup.element(name, attributes, content())
}

/// Returns an element with text, or without content.
public func tag(
  _ name: StaticString, _ attributes: Attributes = [:], _ text: String = ""
) -> Markup {
  Markup.element(name, attributes, Markup(text))
}

/// A result builder that concatenates fragments, one per line.
///
/// A `String` in the builder becomes escaped text.
@resultBuilder
public enum MarkupBuilder {
  /// Converts a string to an escaped fragment.
  public static func buildExpression(_ text: String) -> Markup { Markup(text) }
  /// Returns the fragment unchanged.
  public static func buildExpression(_ piece: Markup) -> Markup { piece }
  /// Concatenates an array of fragments.
  public static func buildExpression(_ pieces: [Markup]) -> Markup {
    pieces.reduce(into: Markup()) { $0 = $0 + $1 }
  }
  /// Returns the fragment, or an empty fragment for nil.
  public static func buildExpression(_ piece: Markup?) -> Markup { piece ?? Markup() }
  /// Concatenates the fragments in a block.
  public static func buildBlock(_ pieces: Markup...) -> Markup { buildExpression(pieces) }
  /// Returns the fragment, or an empty fragment if the condition is false.
  public static func buildOptional(_ piece: Markup?) -> Markup { piece ?? Markup() }
  /// Returns the fragment from the first branch.
  public static func buildEither(first piece: Markup) -> Markup { piece }
  /// Returns the fragment from the second branch.
  public static func buildEither(second piece: Markup) -> Markup { piece }
  /// Concatenates the fragments from a loop.
  public static func buildArray(_ pieces: [Markup]) -> Markup { buildExpression(pieces) }
}
