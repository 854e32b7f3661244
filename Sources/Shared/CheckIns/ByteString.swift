/// Text that is compared, ordered and hashed by its UTF-8 bytes, like in the database.
///
/// `String` treats two spellings of one letter as equal (é as one scalar, or as e with an accent). A dictionary with
/// strings as keys would therefore merge two people who are different in the database.
package struct ByteString: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The text itself.
  package let string: String

  /// Wraps a text without changing a byte of it.
  package init(_ string: String) {
    var native = string
    native.makeContiguousUTF8()
    self.string = native
  }

  /// The text itself.
  package var description: String { string }

  /// Whether both hold the same bytes.
  package static func == (left: ByteString, right: ByteString) -> Bool {
    left.string.utf8.elementsEqual(right.string.utf8)
  }

  /// Whether the first comes earlier, byte by byte: the order of `COLLATE "C"`.
  package static func < (left: ByteString, right: ByteString) -> Bool {
    left.string.utf8.lexicographicallyPrecedes(right.string.utf8)
  }

  /// Hashes the bytes.
  package func hash(into hasher: inout Hasher) {
    string.utf8.withContiguousStorageIfAvailable {
      hasher.combine(bytes: UnsafeRawBufferPointer($0))
    }
    // This byte cannot occur in UTF-8, so it marks the end of a text if two texts are hashed in sequence.
    hasher.combine(0xff as UInt8)
  }
}
