/// The name of a group or a member, which consists of exact bytes (rule 48).
///
/// `String` is not used, because `==` treats two Unicode spellings of a letter as equal, and `<`
/// compares canonical forms. With strings, two members could therefore become one member.
package struct Name: Hashable, Sendable, Comparable {
  /// The name in UTF-8.
  package let bytes: [UInt8]

  /// Creates a name from unchanged bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Creates a name from the UTF-8 of a string, without normalization.
  package init(_ text: String) {
    self.init(Array(text.utf8))
  }

  /// Orders names by unsigned bytes, as with COLLATE "C".
  package static func < (left: Name, right: Name) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}

extension Name: ExpressibleByStringLiteral {
  /// Creates a name from the UTF-8 of a literal.
  package init(stringLiteral text: String) {
    self.init(text)
  }
}

extension Name: CustomStringConvertible {
  /// The name in quotes, in which every character outside printable ASCII is escaped.
  ///
  /// Without the escapes, two Unicode spellings of a letter would look the same in a failure
  /// message.
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
