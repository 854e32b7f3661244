#if HTTP
  package import Foundation
  import JWTKit

  /// Verifies the tokens of identity providers.
  package struct TokenVerifier: Sendable {
    private let issuers: [TokenIssuer]

    /// The maximum length of a token in bytes.
    private static let longest = 8_192
    /// The maximum time, in seconds, by which an issuer's clock may be fast.
    private static let leeway = 60.0

    init(_ issuers: [TokenIssuer]) { self.issuers = issuers }

    /// Returns the identity in a token after checking the signature, `iss`, `aud`, `exp` and `nbf`.
    ///
    /// - Throws: ``APIRefusal`` with status 401 for an invalid token, or with status 503 if the
    ///   issuer's keys cannot be read.
    package func identity(
      of token: String, at now: Date = Date()
    ) async throws(APIRefusal) -> UserIdentity {
      guard token.utf8.count <= Self.longest, let header = TokenHeader(of: token)
      else { throw Self.refused("it is not a JSON Web Token") }
      guard !header.hasCriticalParts else { throw Self.refused("it has critical extensions") }
      guard let issuer = issuers.first(where: { $0.names.contains(header.issuer) }) else {
        throw Self.refused("its issuer is unknown")
      }
      guard let key = try await issuer.keys.key(header.key) else {
        throw Self.refused("its issuer does not have its key")
      }
      // The issuer's key determines the algorithm of the signature. If the token could choose the
      // algorithm, an attacker could use the public key as the secret of HS256, or omit the
      // signature.
      guard header.algorithm == key.algorithm else {
        throw Self.refused("its algorithm is not the algorithm of its key")
      }
      let claims: TokenClaims
      do {
        claims = try await key.verifier.verify(token, as: TokenClaims.self)
      } catch {
        throw Self.refused("its signature or a claim is not valid")
      }
      try check(claims, issuer, at: now)
      return UserIdentity(
        key: .init(provider: issuer.provider, subject: claims.sub), isUser: issuer.isUser,
        nonce: claims.nonce, email: claims.usableEmail, name: claims.usableName,
        expiresAt: claims.exp)
    }

    private func check(
      _ claims: TokenClaims, _ issuer: TokenIssuer, at now: Date
    ) throws(APIRefusal) {
      guard issuer.names.contains(claims.iss) else { throw Self.refused("its issuer is unknown") }
      guard claims.aud.all.contains(where: issuer.audiences.contains) else {
        throw Self.refused("it is for another app")
      }
      guard claims.exp > now.timeIntervalSince1970 else { throw Self.refused("it has expired") }
      guard claims.nbf ?? 0 <= now.timeIntervalSince1970 + Self.leeway else {
        throw Self.refused("it is not valid yet")
      }
      guard (1...256).contains(claims.sub.utf8.count),
        !claims.sub.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
      else { throw Self.refused("its subject is not valid") }
    }

    private static func refused(_ why: String) -> APIRefusal {
      .notAuthenticated("the token is not accepted: \(why)")
    }
  }
#endif
