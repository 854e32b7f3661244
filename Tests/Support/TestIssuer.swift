#if HTTP
  import Foundation
  package import JWTKit

  /// An identity provider of the tests, with its own keys.
  package struct TestIssuer: Sendable {
    /// The claims of a token.
    package struct Claims: JWTPayload {
      package var iss: String
      package var sub: String
      package var aud: [String]
      package var exp: Double
      package var nbf: Double?
      package var nonce: String?
      package var name: String?
      package var email: String?
      package var emailVerified: Bool?

      private enum CodingKeys: String, CodingKey {
        case iss, sub, aud, exp, nbf, nonce, name, email
        case emailVerified = "email_verified"
      }

      /// Creates the claims of a token that is valid for ten minutes.
      package init(
        sub: String, iss: String = "https://issuer.test", aud: [String] = ["app"],
        exp: Double = Date().timeIntervalSince1970 + 600, nonce: String? = nil
      ) {
        (self.sub, self.iss, self.aud, self.exp, self.nonce) = (sub, iss, aud, exp, nonce)
      }

      package func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    package let key = ES256PrivateKey()
    package let id: String

    /// Creates a provider whose key has an id.
    package init(id: String) { self.id = id }

    /// The public key as an element of a key set.
    package var publicKey: String {
      let place = key.parameters ?? ("", "")
      let (x, y) = (Self.url(place.x), Self.url(place.y))
      return
        #"{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\#(id)","x":"\#(x)","y":"\#(y)"}"#
    }

    /// The key set as JSON, with a key of an unknown type.
    package var keys: String { #"{"keys":[{"kty":"new","kid":"z"},\#(publicKey)]}"# }

    /// Returns a signed token.
    package func token(_ claims: Claims, kid: String? = nil) async throws -> String {
      let signer = JWTKeyCollection()
      await signer.add(ecdsa: key, kid: JWKIdentifier(string: kid ?? id))
      return try await signer.sign(claims, kid: JWKIdentifier(string: kid ?? id))
    }

    /// Returns a token of a user that is valid for ten minutes.
    package func token(_ user: String) async throws -> String {
      try await token(Claims(sub: user))
    }

    /// Returns a token with the given header and signature.
    package static func token(
      header: String, _ claims: Claims, signature: String = ""
    ) throws -> String {
      let body = String(decoding: try JSONEncoder().encode(claims), as: UTF8.self)
      return [header, body].map { url(Data($0.utf8).base64EncodedString()) }.joined(separator: ".")
        + ".\(signature)"
    }

    /// Returns base64 in the form for URLs.
    package static func url(_ base64: String) -> String {
      base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  }
#endif
