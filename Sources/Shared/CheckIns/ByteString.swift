/// Text that is compared, ordered and hashed by its UTF-8 bytes, as the database does.
///
/// `String` calls two spellings of one letter equal (é as one scalar and as e with an accent), so a
/// dictionary with strings for keys would merge two people whom the database keeps apart.
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
    // Not in UTF-8, so that of two texts hashed in a row it is told where the first ends.
    hasher.combine(0xff as UInt8)
  }
}
