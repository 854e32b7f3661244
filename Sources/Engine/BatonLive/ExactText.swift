/// A text that is another one with each other byte, for topics and viewers.
///
/// Swift takes two spellings of a letter for one, the database does not.
public struct ExactText: Hashable, Sendable {
  /// The text itself.
  public let text: String

  /// A text, byte by byte.
  public init(_ text: String) { self.text = text }

  /// Whether both have the same bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
