import Foundation

/// A check that rejects passwords in arguments.
///
/// Every user of the machine can read a process's arguments, and a shell stores the arguments in
/// its history.
enum SecretArguments {
  /// Checks the arguments before the parser runs, because the parser's messages would repeat the
  /// password.
  ///
  /// - Throws: ``Complaint`` if an argument seems to contain a password. The message does not
  ///   repeat the password.
  static func check(_ arguments: [String]) throws(Complaint) {
    for (position, argument) in arguments.enumerated().dropFirst() where holdsPassword(argument) {
      throw Complaint(
        .usage,
        what: "An argument contains a password; every user of this machine can read it.",
        place: "argument \(position)",
        next: "Nothing was done. Change that password, and put the new one into a file that "
          + "BATON_PASSWORD_FILE names; docs/reference/secrets.md lists the other places.")
    }
  }

  /// Returns whether an argument may contain an address with a password, or may be a password
  /// option.
  ///
  /// The check may also reject a harmless argument, such as a payload that contains an address. No
  /// command accepts an address as an argument, so the check never rejects an argument that a
  /// command needs.
  static func holdsPassword(_ argument: String) -> Bool {
    let text = argument.lowercased()
    guard text.contains("://") || text.contains("passw") else { return false }
    return text.contains(url) || text.contains(keyword) || text.wholeMatch(of: option) != nil
  }

  /// The pattern for `postgres://user:password@`.
  ///
  /// Any text without whitespace between the colon and the `@` counts as a password.
  private static var url: Regex<Substring> { /postgres(?:ql)?:\/\/[^\s:]*:[^\s]+@/ }
  /// The pattern for `password=...` after any text, as in `host=h password=...`, `--x=password=...`
  /// or `PGPASSWORD=...`.
  private static var keyword: Regex<Substring> { /passw(?:or)?d\s*=\s*[^\s]/ }
  /// The pattern for the `--password` option, whose value is the next argument.
  private static var option: Regex<Substring> { /--?[a-z-]*passw(?:or)?d/ }
}
