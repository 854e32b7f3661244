/// The names of a model's users in the database.
///
/// Two users have ids that Swift's `==` treats as equal and that differ by bytes. The model keeps
/// its plain names, so code that confuses the two users differs from the model. The order by bytes
/// stays the same.
enum ModelName {
  private static let one = "e\u{301}"
  private static let other = "\u{e9}"

  /// Returns the id in the database for a model's user `u0`, `u1`, `u2`, ...
  static func stored(_ user: String) -> String {
    let number = user.dropFirst()
    // Other tests use other names.
    guard user.first == "u", Int(number) != nil else { return user }
    return number == "0" ? one : number == "1" ? other : other + number
  }

  /// Returns the model's name for an id in the database.
  ///
  /// Any other word is unchanged.
  static func plain(_ word: some StringProtocol) -> String {
    let bytes = Array(word.utf8)
    if bytes == Array(one.utf8) { return "u0" }
    if word.hasPrefix("former-") { return "former" }
    let prefix = Array(other.utf8)
    guard bytes.starts(with: prefix) else { return String(word) }
    let number = String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self)
    return number.isEmpty ? "u1" : "u\(number)"
  }

  /// Returns a line of words with the names of the model.
  static func plain(line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { plain($0) }
      .joined(separator: " ")
  }
}
