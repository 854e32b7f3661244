import Foundation

/// The target of a link, which is always a page on this server.
public struct Link: Sendable, Hashable {
  /// The encoded path and query.
  let text: String

  /// Creates a link to a page.
  ///
  /// - Parameters:
  ///   - path: the segments of the path. A segment may be any text except `.` and `..`, which
  ///     browsers treat as folders.
  ///   - query: the fields of the query. Fields that are nil or empty are omitted.
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

  /// The characters that RFC 3986 does not reserve.
  private static let plain = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~")

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
  }
}

/// Returns an `a` element.
public func link(_ text: String, to target: Link) -> Markup {
  tag("a", ["href": target.text], text)
}
