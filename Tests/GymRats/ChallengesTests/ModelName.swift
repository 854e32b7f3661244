/// How the database writes the names of a model's users.
///
/// Two users have ids that Swift's `==` treats as equal and that differ by bytes. The model keeps its plain
/// names, so code that mixes the two users up differs from the model. The order by bytes stays the same.
enum ModelName {
  private static let one = "e\u{301}"
  private static let other = "\u{e9}"

  /// A user's id in the database: of `u0`, `u1`, `u2`, ...
  static func stored(_ user: String) -> String {
    let number = user.dropFirst()
    // Other tests have names of their own.
    guard user.first == "u", Int(number) != nil else { return user }
    return number == "0" ? one : number == "1" ? other : other + number
  }

  /// A user's name in the model, of an id in the database; any other word as it is.
  static func plain(_ word: some StringProtocol) -> String {
    let bytes = Array(word.utf8)
    if bytes == Array(one.utf8) { return "u0" }
    if word.hasPrefix("former-") { return "former" }
    let prefix = Array(other.utf8)
    guard bytes.starts(with: prefix) else { return String(word) }
    let number = String(decoding: bytes.dropFirst(prefix.count), as: UTF8.self)
    return number.isEmpty ? "u1" : "u\(number)"
  }

  /// A line of words, with the names of the model.
  static func plain(line: String) -> String {
    line.split(separator: " ", omittingEmptySubsequences: false).map { plain($0) }
      .joined(separator: " ")
  }
}
