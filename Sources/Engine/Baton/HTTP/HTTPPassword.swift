package import BatonPostgres

/// The file with the passwords of people who open the pages in a browser.
///
/// It has one line a person, `name:password`, or one line with a shared password. It is read again at each login, so
/// a new password applies without a restart.
package struct HTTPPassword: Sendable {
  private let file: PasswordFile

  /// A shorter password can be guessed, or is a mistake.
  package static let shortest = 12

  package init(_ file: PasswordFile) { self.file = file }

  /// The file that the settings name, otherwise a credential of systemd; nil: none.
  ///
  /// `BATON_HTTP_PASSWORD_FILE` names the file. No variable holds the password itself, because other processes can
  /// read the environment of this one.
  static var ofEnvironment: HTTPPassword? {
    PasswordFile.of(.httpPasswordFile, orCredential: "baton.http-password").map(HTTPPassword.init)
  }

  /// The current lines of the file.
  ///
  /// - Throws: `PostgresError` if the file cannot be used, ``Complaint`` if a password is too short.
  private func lines() throws -> [Secret] {
    let lines = try file.readLines()
    guard lines.allSatisfy({ $0.count(behindFirst: UInt8(ascii: ":")) >= Self.shortest }) else {
      throw Complaint(
        .usage, what: "A password has fewer than \(Self.shortest) bytes, and could be guessed.",
        place: "\(file.path) (\(file.namedBy))",
        next: "Write name:password, a person a line, with passwords like that of "
          + "`openssl rand -base64 18`.")
    }
    return lines
  }

  /// Checks that the file can be used.
  ///
  /// - Throws: as ``person(named:showing:)``.
  func check() throws { _ = try lines() }

  /// The name of the person with this password; nil if no line matches.
  ///
  /// For a shared password it is `password`. Every line is compared, each in constant time, so that the time of a
  /// login reveals nothing about the passwords.
  ///
  /// - Throws: `PostgresError` if the file cannot be used, ``Complaint`` if a password is too short.
  package func person(named name: String, showing password: String) throws -> String? {
    var (name, password) = (name, password)
    // Without a name, split the password at its first colon: a shared line that contains one must be read in the same
    // way as a person's line.
    if name.isEmpty, let colon = password.firstIndex(of: ":") {
      name = String(password[..<colon])
      password = String(password[password.index(after: colon)...])
    }
    guard !name.contains(":") else { return nil }
    let shown = name.isEmpty ? password : "\(name):\(password)"
    let found = try lines().reduce(false) { found, line in line.isEqual(to: shown) || found }
    guard found else { return nil }
    return name.isEmpty ? "password" : name
  }
}
