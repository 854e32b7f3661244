import Foundation

/// Passwords among the arguments: everybody on the machine reads those, and a shell writes them down.
enum SecretArguments {
  /// Before anything else looks at the arguments: a message of the parser would repeat them.
  ///
  /// - Throws: ``Complaint`` where one looks as if it held a password; it does not say which.
  static func check(_ arguments: [String]) throws(Complaint) {
    for (position, argument) in arguments.enumerated().dropFirst() where holdsPassword(argument) {
      throw Complaint(
        .usage,
        what: "A password stands among the arguments, where everybody on this machine can read it.",
        place: "argument \(position)",
        next: "Nothing was done. Change that password, and put the new one into a file that "
          + "BATON_PASSWORD_FILE names; docs/concepts/security.md has the other places.")
    }
  }

  /// Whether it may be, or hold, an address with a password, or an option that is one.
  ///
  /// Rather one too many: no command takes an address, so what is refused here by mistake is a text.
  static func holdsPassword(_ argument: String) -> Bool {
    let text = argument.lowercased()
    guard text.contains("://") || text.contains("passw") else { return false }
    return text.contains(url) || text.contains(keyword) || text.wholeMatch(of: option) != nil
  }

  /// `postgres://user:password@`; what is behind the colon may hold anything but a blank.
  private static var url: Regex<Substring> { /postgres(?:ql)?:\/\/[^\s:]*:[^\s]+@/ }
  /// `password=...`, with whatever is before it: `host=h password=...`, `--x=password=...`, `PGPASSWORD=...`.
  private static var keyword: Regex<Substring> { /passw(?:or)?d\s*=\s*[^\s]/ }
  /// `--password`, whose value is the next argument.
  private static var option: Regex<Substring> { /--?[a-z-]*passw(?:or)?d/ }
}
