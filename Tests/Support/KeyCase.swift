/// A key, and whether each way to enqueue a run accepts the key.
package struct KeyCase: Sendable {
  package let name, key: String
  package let isValid: Bool

  private init(_ name: String, _ key: String, isValid: Bool) {
    self.name = name
    self.key = key
    self.isValid = isValid
  }

  package static let all = [
    KeyCase("1 byte", "k", isValid: true),
    KeyCase("256 bytes", String(repeating: "k", count: 256), isValid: true),
    KeyCase("256 bytes of 128 letters", String(repeating: "ä", count: 128), isValid: true),
    KeyCase("a space and a quotation mark", "a 'b", isValid: true),
    KeyCase("0 bytes", "", isValid: false),
    KeyCase("257 bytes", String(repeating: "k", count: 257), isValid: false),
    KeyCase("258 bytes of 129 letters", String(repeating: "ä", count: 129), isValid: false),
    KeyCase("300 bytes", String(repeating: "k", count: 300), isValid: false),
    KeyCase("a line break", "a\nb", isValid: false),
    KeyCase("a delete character", "a\u{7f}", isValid: false),
  ]

  /// The key as a literal of SQL.
  package var literal: String { "'\(key.replacing("'", with: "''"))'" }
}
