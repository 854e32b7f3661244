package import BatonPostgres

/// The bearer token that a client must send: `Authorization: Bearer TOKEN`.
package enum HTTPToken: Sendable {
  /// In a file that is read again for each request, so a new token applies without a restart.
  case file(PasswordFile)
  /// In the environment.
  case text(Secret)

  /// A shorter token can be guessed, or is a mistake.
  package static let shortest = 16

  /// The current token; never fewer than 16 bytes.
  ///
  /// - Throws: `PostgresError` if its file cannot be used, ``Complaint`` if it is too short.
  package func read() throws -> Secret {
    let (secret, place) =
      switch self {
      case .file(let file): (try file.read(), "\(file.path) (\(file.namedBy))")
      case .text(let secret): (secret, "BATON_HTTP_TOKEN")
      }
    guard secret.count >= Self.shortest else {
      throw Complaint(
        .usage, what: "The token has fewer than \(Self.shortest) bytes, and could be guessed.",
        place: place, next: "Make another one: `openssl rand -hex 32`.")
    }
    return secret
  }

  /// The token that the settings name; nil: none.
  ///
  /// The first of these is used: the file that `BATON_HTTP_TOKEN_FILE` names, a credential of systemd,
  /// `BATON_HTTP_TOKEN`. If the first one exists but cannot be used, the next ones are not tried.
  static var ofEnvironment: HTTPToken? {
    let file = PasswordFile.of(
      .httpTokenFile, orCredential: "baton.http-token", holds: "token")
    if let file { return .file(file) }
    return Settings.current.text(.httpToken).map { .text(Secret($0)) }
  }
}
