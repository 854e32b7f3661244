/// What texts and searches may be; the server has the same limits and the last word.
public enum InputLimits {
  /// Whether a text can be the name of a group: 1 to 100 characters on one line, not all of them blank.
  public static func isGroupName(_ text: String) -> Bool {
    text.unicodeScalars.count <= 100 && isOneLine(text) && text.contains { !$0.isWhitespace }
  }

  /// Whether a text can be the name of a user: 1 to 256 bytes on one line, not all of them blank.
  public static func isDisplayName(_ text: String) -> Bool {
    text.utf8.count <= 256 && isOneLine(text) && text.contains { !$0.isWhitespace }
  }

  /// The radii around a place in which groups are looked for, in metres.
  public static let searchRadii = 0.0...50_000.0
  /// How many groups or messages a page may have.
  public static let pageLengths = 1...100

  private static func isOneLine(_ text: String) -> Bool {
    !text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
  }
}
