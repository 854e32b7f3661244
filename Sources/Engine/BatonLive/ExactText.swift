/// A string that is compared byte by byte, for topics and viewers.
///
/// Swift treats two Unicode spellings of a letter as equal, but the database does not.
public struct ExactText: Hashable, Sendable {
  /// The wrapped string.
  public let text: String

  /// Wraps a string.
  public init(_ text: String) { self.text = text }

  /// Returns whether the two strings have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
