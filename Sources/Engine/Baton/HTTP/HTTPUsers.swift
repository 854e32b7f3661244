package import BatonPostgres

/// The file that lists the users who may log in to the dashboard, with one line `NAME:HASH` per
/// user.
///
/// The `hash-password` command prints a line for the file. The server reads the file on each
/// request from a user, so a changed line takes effect without a restart. If a user's line changes,
/// the user's sessions end.
package struct HTTPUsers: Sendable {
  private let file: PasswordFile

  package init(_ file: PasswordFile) { self.file = file }

  /// The configured file, or a systemd credential, or nil if neither exists.
  static var ofEnvironment: HTTPUsers? {
    PasswordFile.of(.httpPasswordFile, orCredential: "baton.http-password").map(HTTPUsers.init)
  }

  /// Returns each user's current password hash, by name.
  ///
  /// - Throws: `PostgresError` if the file is unusable, or ``Complaint`` if a line is not
  ///   `NAME:HASH` or repeats a name.
  package func hashes() throws -> [String: PasswordHash] {
    var hashes: [String: PasswordHash] = [:]
    for (number, line) in try file.readLines().enumerated() {
      let parts = line.text.split(separator: ":", maxSplits: 1)
      guard parts.count == 2, Self.isName(parts[0]), let hash = PasswordHash(parts[1]) else {
        throw problem("Line \(number + 1) is not NAME:HASH.")
      }
      guard hashes.updateValue(hash, forKey: String(parts[0])) == nil else {
        throw problem("Line \(number + 1) repeats the name of another line.")
      }
    }
    return hashes
  }

  /// Returns whether a string is a valid user name: 1 to 64 printable ASCII characters, without
  /// colons or spaces.
  package static func isName(_ text: some StringProtocol) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7e).contains($0) }
      && !text.contains(":")
  }

  private func problem(_ what: String) -> Complaint {
    Complaint(
      .usage, what: what, place: "\(file.path) (\(file.namedBy))",
      next: "Write one line per user, as the command `hash-password NAME` prints it.")
  }
}
