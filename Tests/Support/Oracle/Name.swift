/// The name of a group or member, which is its exact bytes (rule 48).
///
/// A `String` would not do: Swift's `==` calls two spellings of one letter equal, and its `<`
/// orders them by canonical form, so two people would become one.
package struct Name: Hashable, Sendable, Comparable {
  /// The name as UTF-8.
  package let bytes: [UInt8]

  /// Takes the bytes as they are.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Takes the UTF-8 of a text, without normalising it.
  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Orders by unsigned bytes, as COLLATE "C" does.
  package static func < (left: Name, right: Name) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension Name: ExpressibleByStringLiteral {
  /// Takes the UTF-8 of a literal.
  package init(stringLiteral text: String) {
    self.init(text)
  }
}

extension Name: CustomStringConvertible {
  /// The name in quotes with every character outside printable ASCII escaped.
  ///
  /// In a failed test, two spellings of one letter would otherwise look the same.
  package var description: String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar {
      case "\"", "\\": text += "\\\(scalar)"
      case " "..."~": text.unicodeScalars.append(scalar)
      default: text += "\\u{\(String(scalar.value, radix: 16))}"
      }
    }
    return "\"\(text)\""
  }
}
