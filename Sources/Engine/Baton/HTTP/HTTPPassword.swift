package import BatonPostgres

/// The file with the passwords of users who open the pages in a browser.
///
/// The file has one line per user, `name:password`, or one line with a shared password. The server
/// reads the file at each login, so a new password applies without a restart.
package struct HTTPPassword: Sendable {
  private let file: PasswordFile

  /// The minimum length of a password in bytes, because a shorter password can be guessed or is a
  /// mistake.
  package static let shortest = 12

  package init(_ file: PasswordFile) { self.file = file }

  /// The file that the settings name, or a systemd credential, or nil if neither exists.
  ///
  /// `BATON_HTTP_PASSWORD_FILE` names the file. No environment variable contains the password
  /// itself, because other processes can read the environment of this process.
  static var ofEnvironment: HTTPPassword? {
    PasswordFile.of(.httpPasswordFile, orCredential: "baton.http-password").map(HTTPPassword.init)
  }

  /// Returns the current lines of the file.
  ///
  /// - Throws: `PostgresError` if the file is unusable, or ``Complaint`` if a password is too
  ///   short.
  private func lines() throws -> [Secret] {
    let lines = try file.readLines()
    guard lines.allSatisfy({ $0.count(behindFirst: UInt8(ascii: ":")) >= Self.shortest }) else {
      throw Complaint(
        .usage, what: "A password has fewer than \(Self.shortest) bytes, and could be guessed.",
        place: "\(file.path) (\(file.namedBy))",
        next: "Write one name:password per line, with passwords like that of "
          + "`openssl rand -base64 18`.")
    }
    return lines
  }

  /// Checks that the file is usable.
  ///
  /// - Throws: the same errors as ``person(named:showing:)``.
  func check() throws { _ = try lines() }

  /// Returns the name of the user with this password, or nil if no line matches.
  ///
  /// For a shared password, the name is `password`. Every line is compared in constant time, so the
  /// duration of a login does not reveal anything about the passwords.
  ///
  /// - Throws: `PostgresError` if the file is unusable, or ``Complaint`` if a password is too
  ///   short.
  package func person(named name: String, showing password: String) throws -> String? {
    var (name, password) = (name, password)
    // If the name is missing, the password is split at its first colon. A shared password with a
    // colon is compared as a name and a password, like the line of a user.
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
