/// A string that is compared, ordered and hashed by its UTF-8 bytes, as in the database.
///
/// `String` treats two Unicode encodings of a letter as equal: é as one scalar, and é as e with a
/// combining accent. A dictionary with `String` keys would merge two people whose names have
/// different bytes in the database.
package struct ByteString: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The wrapped text.
  package let string: String

  /// Wraps a string without changing its bytes.
  package init(_ string: String) {
    var native = string
    native.makeContiguousUTF8()
    self.string = native
  }

  /// The wrapped text.
  package var description: String { string }

  /// Returns whether the two strings have the same bytes.
  package static func == (left: ByteString, right: ByteString) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  /// Returns whether the first string precedes the second in byte order, as with `COLLATE "C"`.
  package static func < (left: ByteString, right: ByteString) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  /// Hashes the string's bytes.
  package func hash(into hasher: inout Hasher) {
    string.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    // The byte 0xff, which cannot occur in UTF-8, marks the end of the string.
    hasher.combine(0xff as UInt8)
  }
}
