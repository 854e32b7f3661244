#if HTTP
  import Foundation
  package import ProductPostgres
  import SHA256

  /// A stream's user, and the user's token or session.
  ///
  /// When the token expires or the session ends, the stream also ends.
  package struct StreamAccess: Codable, Sendable {
    /// The id of the user.
    let user: String
    /// The time when the user's token expires, in seconds since 1970, or nil if the user has a
    /// session.
    let expiresAt: Double?
    /// The hexadecimal SHA-256 hash of the user's session token, or nil if the user has no session.
    let session: String?
    /// Whether the token is an access token, which means that the client also has a refresh token.
    ///
    /// The value is nil in a ticket created by an older server release.
    let hasRefreshToken: Bool?

    init(user: String, expiresAt: Double?, session: String?, hasRefreshToken: Bool = false) {
      (self.user, self.expiresAt, self.session) = (user, expiresAt, session)
      self.hasRefreshToken = hasRefreshToken
    }

    /// Creates the stream access for a request whose token has been verified.
    ///
    /// - Parameters:
    ///   - identity: the identity in an identity provider's token, or nil if the token belongs to a
    ///     session.
    ///   - token: the request's token.
    init(user: String, identity: UserIdentity?, token: String?) {
      self.init(
        user: user, expiresAt: identity?.expiresAt,
        session: identity == nil ? token.map { SHA256Digest.hex(of: $0.utf8) } : nil)
    }

    /// The viewer of the stream.
    package var viewer: StreamViewer { StreamViewer(user: user, session: session) }

    /// The reason that is sent to the client when the token has expired.
    var expiry: APIRefusal {
      let text = "the token has expired"
      guard hasRefreshToken == true else { return .notAuthenticated(text) }
      return .notAuthenticated(text, next: SessionTokens.nextStep)
    }

    /// Returns the time until the token expires, or nil if the user has a session.
    ///
    /// The returned time is at most one year.
    func remaining(at now: Date = Date()) -> Duration? {
      expiresAt.map { .seconds(min(max(0, $0 - now.timeIntervalSince1970), 31_536_000)) }
    }
  }
#endif
