#if HTTP
  import Foundation
  import ProductKit

  /// The parts of an unverified token that determine which key verifies the token.
  ///
  /// JWTKit does not decode the header, because its decoder crashes the process on a number such as
  /// `1e300`.
  struct TokenHeader {
    let algorithm: String
    let key: String?
    /// Whether the header has the `crit` field, which lists extensions that a verifier must
    /// understand.
    let hasCriticalParts: Bool
    /// The `iss` claim.
    let issuer: String

    /// Decodes a token, or returns nil if the string is not a JSON Web Token with an issuer.
    init?(of token: String) {
      let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
      guard parts.count == 3, let head = Self.bytes(parts[0]), let body = Self.bytes(parts[1]),
        let fields = try? JSONDecoder().decode(Fields.self, from: head),
        let claims = try? JSONDecoder().decode(Claims.self, from: body)
      else { return nil }
      (algorithm, key, issuer) = (fields.alg, fields.kid, claims.iss)
      hasCriticalParts = fields.isCritical
    }

    private struct Fields: Decodable {
      let alg: String
      let kid: String?
      let isCritical: Bool

      private enum CodingKeys: String, CodingKey { case alg, kid, crit }

      init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        alg = try fields.decode(String.self, forKey: .alg)
        kid = try fields.decodeIfPresent(String.self, forKey: .kid)
        isCritical = fields.contains(.crit)
      }
    }

    private struct Claims: Decodable { let iss: String }

    private static func bytes(_ part: Substring.UTF8View) -> Data? {
      Base64URL.data(of: String(Substring(part)))
    }
  }
#endif
