#if HTTP
  import Foundation
  import JWTKit
  import ProductAPI

  /// The demo's identity provider, whose key exists until the process ends.
  struct DemoIssuer: Sendable {
    /// The names of the demo's users, keyed by the users' ids at the provider.
    static let people = ["ann": "Ann", "ben": "Ben", "cleo": "Cleo", "dan": "Dan"]
    private static let name = "https://login.demo.test"
    private static let audience = "gymrats-demo"
    private static let keyID = "demo"
    private static let lifetime = 600.0

    private let key = ES256PrivateKey()

    /// Returns a token that is valid for ten minutes, or nil if the provider does not know the
    /// person.
    func token(of person: String) async throws -> String? {
      guard let displayName = Self.people[person] else { return nil }
      let signer = JWTKeyCollection()
      await signer.add(ecdsa: key, kid: JWKIdentifier(string: Self.keyID))
      let claims = Claims(
        iss: Self.name, sub: person, aud: [Self.audience],
        exp: Date().timeIntervalSince1970 + Self.lifetime, name: displayName)
      return try await signer.sign(claims, kid: JWKIdentifier(string: Self.keyID))
    }

    /// The JSON Web Key Set with the public key.
    var keys: String {
      let point = key.parameters ?? ("", "")
      let (x, y) = (Self.url(point.x), Self.url(point.y))
      return """
        {"keys":[{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\(Self.keyID)",\
        "x":"\(x)","y":"\(y)"}]}
        """
    }

    /// Returns the API setting that accepts the provider's tokens.
    ///
    /// - Parameter path: the path to a file with ``keys``.
    func setting(keysAt path: String) -> APISettings.OwnIssuer {
      APISettings.OwnIssuer(
        provider: "email", name: Self.name, audience: Self.audience, keys: path)
    }

    /// Converts base64 to base64url.
    private static func url(_ base64: String) -> String {
      base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  }

  /// The claims of a demo token.
  private struct Claims: JWTPayload {
    let iss: String
    let sub: String
    let aud: [String]
    let exp: Double
    let name: String

    /// Does nothing, because the API checks the claims.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
#endif
