/// The limits for strings and searches in the app.
///
/// The server checks the same limits again for every call.
public enum InputLimits {
  /// Returns whether a string can be a group's name.
  ///
  /// A group's name is one line of 1 to 100 characters, at least one of which is not whitespace.
  public static func isGroupName(_ text: String) -> Bool {
    text.unicodeScalars.count <= 100 && isOneLine(text) && text.contains { !$0.isWhitespace }
  }

  /// Returns whether a string can be a user's name.
  ///
  /// A user's name is one line of 1 to 256 bytes that contains at least one character other than
  /// whitespace.
  public static func isDisplayName(_ text: String) -> Bool {
    text.utf8.count <= 256 && isOneLine(text) && text.contains { !$0.isWhitespace }
  }

  /// The valid radii of a search for groups near a place, in meters.
  public static let searchRadii = 0.0...50_000.0
  /// The valid numbers of groups or messages on a page.
  public static let pageLengths = 1...100

  private static func isOneLine(_ text: String) -> Bool {
    !text.utf8.contains { $0 < 0x20 || $0 == 0x7f }
  }
}
