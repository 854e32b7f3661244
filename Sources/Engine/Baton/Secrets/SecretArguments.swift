import Foundation

/// Refuses passwords in arguments: every user of the machine can read them, and a shell stores them in its history.
enum SecretArguments {
  /// Checks the arguments before the parser, whose messages would repeat them.
  ///
  /// - Throws: ``Complaint`` if an argument seems to contain a password; the message does not repeat it.
  static func check(_ arguments: [String]) throws(Complaint) {
    for (position, argument) in arguments.enumerated().dropFirst() where holdsPassword(argument) {
      throw Complaint(
        .usage,
        what: "An argument contains a password; every user of this machine can read it.",
        place: "argument \(position)",
        next: "Nothing was done. Change that password, and put the new one into a file that "
          + "BATON_PASSWORD_FILE names; docs/concepts/security.md has the other places.")
    }
  }

  /// Whether the text may contain an address with a password, or may be a password option.
  ///
  /// It may refuse too much. No command takes an address, so a false match is only a text such as a payload.
  static func holdsPassword(_ argument: String) -> Bool {
    let text = argument.lowercased()
    guard text.contains("://") || text.contains("passw") else { return false }
    return text.contains(url) || text.contains(keyword) || text.wholeMatch(of: option) != nil
  }

  /// `postgres://user:password@`; the part after the colon may contain anything but white space.
  private static var url: Regex<Substring> { /postgres(?:ql)?:\/\/[^\s:]*:[^\s]+@/ }
  /// `password=...` with any text before it: `host=h password=...`, `--x=password=...`, `PGPASSWORD=...`.
  private static var keyword: Regex<Substring> { /passw(?:or)?d\s*=\s*[^\s]/ }
  /// `--password`, whose value is the next argument.
  private static var option: Regex<Substring> { /--?[a-z-]*passw(?:or)?d/ }
}
