package import BatonPostgres

/// What a client has to show: `Authorization: Bearer TOKEN`.
package enum HTTPToken: Sendable {
  /// In a file, which is read again for each question: who writes it changes the token.
  case file(PasswordFile)
  /// From the environment.
  case text(Secret)

  /// Whatever is shorter can be guessed, or is a mistake.
  package static let shortest = 16

  /// The token now; never fewer than 16 bytes.
  ///
  /// - Throws: `PostgresError` where its file cannot be used, ``Complaint`` where it is too short.
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

  /// The one that the settings name: `BATON_HTTP_TOKEN_FILE`, else a credential that systemd gave the service,
  /// else `BATON_HTTP_TOKEN`; nil: none.
  ///
  /// A place that is named and cannot be used is no reason to look further.
  static var ofEnvironment: HTTPToken? {
    let file = PasswordFile.of(
      .httpTokenFile, orCredential: "baton.http-token", holds: "token")
    if let file { return .file(file) }
    return Settings.current.text(.httpToken).map { .text(Secret($0)) }
  }
}
