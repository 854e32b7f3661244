import Foundation

/// Where a link leads: a page of this program, never elsewhere.
public struct Place: Sendable, Hashable {
  /// As it stands in a link.
  let text: String

  /// A page.
  ///
  /// - Parameters:
  ///   - path: its parts, of any text but dots alone, which browsers take for a folder.
  ///   - query: what is asked of it; what is nil or empty is left out.
  public init(_ path: String..., asking query: KeyValuePairs<String, String?> = [:]) {
    self.init(parts: path, asking: query.map { ($0.key, $0.value) })
  }

  init(parts: [String], asking query: [(String, String?)]) {
    var text = "/" + parts.map(Self.encoded).joined(separator: "/")
    let pairs = query.compactMap { name, value in
      value.flatMap { $0.isEmpty ? nil : "\(Self.encoded(name))=\(Self.encoded($0))" }
    }
    if !pairs.isEmpty { text += "?" + pairs.joined(separator: "&") }
    self.text = text
  }

  /// What RFC 3986 reserves nothing for.
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}

/// A link.
public func link(_ text: String, to place: Place) -> Markup {
  tag("a", ["href": place.text], text)
}
