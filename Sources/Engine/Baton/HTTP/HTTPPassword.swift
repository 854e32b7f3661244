package import BatonPostgres

/// What people show who open the pages in a browser: a file with one line a person, `name:password`, or one line with
/// a password that everybody shares.
///
/// The file is read again at each try: who writes it changes the passwords.
package struct HTTPPassword: Sendable {
  private let file: PasswordFile

  /// Whatever is shorter can be guessed, or is a mistake.
  package static let shortest = 12

  package init(_ file: PasswordFile) { self.file = file }

  /// The file that the settings name: `BATON_HTTP_PASSWORD_FILE`, else a credential that systemd gave the service;
  /// nil: none.
  ///
  /// There is no variable with a password itself: whoever sees the environment would have it.
  static var ofEnvironment: HTTPPassword? {
    PasswordFile.of(.httpPasswordFile, orCredential: "baton.http-password").map(HTTPPassword.init)
  }

  /// The lines now.
  ///
  /// - Throws: `PostgresError` where the file cannot be used, ``Complaint`` where a password is too short.
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

  /// Whether the file can be used.
  ///
  /// - Throws: as ``person(named:showing:)``.
  func check() throws { _ = try lines() }

  /// Whose password it is; nil: nobody's.
  ///
  /// Where one line is everybody's, `password`.
  ///
  /// Every line is compared, and each in a time that says nothing of it.
  ///
  /// - Throws: `PostgresError` where the file cannot be used, ``Complaint`` where a password is too short.
  package func person(named name: String, showing password: String) throws -> String? {
    var (name, password) = (name, password)
    // A line that everybody shares may not be taken apart otherwise than one of a person.
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
