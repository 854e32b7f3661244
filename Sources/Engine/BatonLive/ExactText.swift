/// A text that is compared byte by byte, for topics and viewers.
///
/// Swift treats two Unicode spellings of a letter as equal, but the database does not.
public struct ExactText: Hashable, Sendable {
  /// The wrapped text.
  public let text: String

  /// Wraps a text.
  public init(_ text: String) { self.text = text }

  /// Returns whether the two texts have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
