#if HTTP
  import Foundation
  import JWTKit
  import TestSupport

  /// An identity provider of the tests, with its own keys.
  struct TestIssuer: Sendable {
    /// The claims of a token.
    struct Claims: JWTPayload {
      var iss = "https://issuer.test"
      var sub: String
      var aud: [String] = ["app"]
      var exp = Date().timeIntervalSince1970 + 600
      var nbf: Double?
      var nonce: String?
      var name: String?

      func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    let key = ES256PrivateKey()
    let id: String

    /// The public key as an element of a key set.
    var publicKey: String {
      let place = key.parameters ?? ("", "")
      let (x, y) = (Self.url(place.x), Self.url(place.y))
      return
        #"{"kty":"EC","crv":"P-256","alg":"ES256","use":"sig","kid":"\#(id)","x":"\#(x)","y":"\#(y)"}"#
    }

    /// The key set as JSON, with a key of an unknown type.
    var keys: String { #"{"keys":[{"kty":"new","kid":"z"},\#(publicKey)]}"# }

    /// Returns a signed token.
    func token(_ claims: Claims, kid: String? = nil) async throws -> String {
      let signer = JWTKeyCollection()
      await signer.add(ecdsa: key, kid: JWKIdentifier(string: kid ?? id))
      return try await signer.sign(claims, kid: JWKIdentifier(string: kid ?? id))
    }

    /// Returns a token of a user that is valid for ten minutes.
    func token(_ user: String) async throws -> String { try await token(Claims(sub: user)) }

    /// Returns a token with the given header and signature.
    static func token(header: String, _ claims: Claims, signature: String = "") throws -> String {
      let body = String(decoding: try JSONEncoder().encode(claims), as: UTF8.self)
      return [header, body].map { url(Data($0.utf8).base64EncodedString()) }.joined(separator: ".")
        + ".\(signature)"
    }

    /// Returns base64 in the form for URLs.
    static func url(_ base64: String) -> String {
      base64.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
  }
#endif
