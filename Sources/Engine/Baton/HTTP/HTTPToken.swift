package import BatonPostgres

/// The bearer token that a client must send: `Authorization: Bearer TOKEN`.
package enum HTTPToken: Sendable {
  /// A file that contains the token.
  ///
  /// The server reads the file for each request, so it accepts a new token without a restart.
  case file(PasswordFile)
  /// The token itself, from the environment.
  case text(Secret)

  /// The minimum length of a token in bytes.
  ///
  /// A token shorter than 16 bytes is easy to guess, or is probably a typo.
  package static let shortest = 16

  /// Returns the current token, which is at least 16 bytes long.
  ///
  /// - Throws: `PostgresError` if the token's file is unusable, or ``Complaint`` if the token is
  ///   too short.
  package func read() throws -> Secret {
    let (secret, place) =
      switch self {
      case .file(let file): (try file.read(), "\(file.path) (\(file.namedBy))")
      case .text(let secret): (secret, "BATON_HTTP_TOKEN")
      }
    guard secret.count >= Self.shortest else {
      throw Complaint(
        .usage, what: "The token has fewer than \(Self.shortest) bytes, and could be guessed.",
        place: place, next: "Create a new token: `openssl rand -hex 32`.")
    }
    return secret
  }

  /// The configured token, or nil if no token is configured.
  ///
  /// The sources, in order of precedence, are the file in `BATON_HTTP_TOKEN_FILE`, a systemd
  /// credential, and `BATON_HTTP_TOKEN`. If the first existing source is unusable, later sources
  /// are not tried.
  package static var ofEnvironment: HTTPToken? {
    let file = PasswordFile.of(
      .httpTokenFile, orCredential: "baton.http-token", holds: "token")
    if let file { return .file(file) }
    return Settings.current.text(.httpToken).map { .text(Secret($0)) }
  }
}
