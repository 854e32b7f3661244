#if HTTP
  import Baton
  package import Foundation
  import JWTKit

  /// Signs and verifies the access tokens of the API's own sessions.
  ///
  /// An access token is valid on all servers with the same keys until it expires. Tokens are
  /// verified without a database query, so a token can outlive its session.
  package struct SessionTokens: Sendable {
    /// The session that an access token belongs to.
    package struct Session: Sendable {
      package let id: UUID
      /// The id of the user.
      package let user: String
      /// The time when the access token expires, in seconds since 1970.
      let expiresAt: Double

      /// The session's access to streams.
      ///
      /// When the access token expires, the client reopens the stream with a new access token. A
      /// stream can stay open after its session has ended, but no longer than an access token's
      /// lifetime.
      var access: StreamAccess {
        StreamAccess(user: user, expiresAt: expiresAt, session: nil, hasRefreshToken: true)
      }
    }

    /// An access token with its expiry time.
    package struct AccessToken: Sendable {
      package let text: String
      package let expiresAt: Date
    }

    private let keys: SessionKeys
    /// How long an access token is valid, in seconds.
    private let lifetime: Int

    init(_ keys: SessionKeys, lifetime: Int) { (self.keys, self.lifetime) = (keys, lifetime) }

    /// The access tokens' `iss` claim.
    private static var issuer: String { "urn:\(Program.name):session" }

    /// Returns a new access token for a session.
    package func token(
      of session: UUID, for user: String, at now: Date = Date()
    ) async throws -> AccessToken {
      let end = (now.timeIntervalSince1970 + Double(lifetime)).rounded(.up)
      let keys = await keys.current()
      let text = try await keys.all.sign(
        Claims(iss: Self.issuer, sub: user, sid: session.uuidString.lowercased(), exp: end),
        kid: keys.first)
      return AccessToken(text: text, expiresAt: Date(timeIntervalSince1970: end))
    }

    /// Returns whether a bearer token names the API itself as its issuer.
    func areNamed(by token: String) -> Bool { TokenHeader(of: token)?.issuer == Self.issuer }

    /// Returns the session of an access token after checking the signature and the expiry.
    ///
    /// - Throws: ``APIRefusal`` with status 401 for an invalid token.
    func session(of token: String, at now: Date = Date()) async throws(APIRefusal) -> Session {
      // The key determines the algorithm, so a token cannot choose another algorithm.
      guard let header = TokenHeader(of: token), header.algorithm == "HS256", header.key != nil,
        !header.hasCriticalParts
      else { throw Self.refused("it is not an access token") }
      let claims: Claims
      do {
        claims = try await keys.current().all.verify(token, as: Claims.self)
      } catch {
        throw Self.refused("its signature or a claim is not valid")
      }
      guard claims.iss == Self.issuer, let id = UUID(uuidString: claims.sid) else {
        throw Self.refused("a claim is not valid")
      }
      guard claims.exp > now.timeIntervalSince1970 else { throw Self.refused("it has expired") }
      return Session(id: id, user: claims.sub, expiresAt: claims.exp)
    }

    private static func refused(_ why: String) -> APIRefusal {
      .notAuthenticated("the token is not accepted: \(why)", next: nextStep)
    }

    /// The next step for a client whose access token was rejected or has expired.
    static let nextStep =
      "Send the refresh token to POST /v1/session/refresh, and repeat the request."
  }

  /// The claims of an access token.
  private struct Claims: JWTPayload {
    let iss: String
    let sub: String
    /// The id of the session.
    let sid: String
    let exp: Double

    /// Does nothing, because ``SessionTokens`` checks the claims.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
#endif
