#if HTTP
  import JWTKit

  /// The claims of a token that the API checks or uses.
  struct TokenClaims: JWTPayload {
    let iss: String
    let sub: String
    let aud: Audience
    let exp: Double
    let nbf: Double?
    let nonce: String?
    let email: String?
    let emailVerified: Truth?
    let name: String?

    private enum CodingKeys: String, CodingKey {
      case iss, sub, aud, exp, nbf, nonce, email, name
      case emailVerified = "email_verified"
    }

    /// The `aud` claim, which is a string or a list of strings.
    struct Audience: Codable {
      let all: [String]

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let one = try? value.decode(String.self) {
          all = [one]
        } else {
          all = try value.decode([String].self)
        }
      }

      func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(all)
      }
    }

    /// A Boolean value, which Apple sends as a string.
    struct Truth: Codable {
      let value: Bool

      init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        self.value = try (try? value.decode(Bool.self)) ?? (value.decode(String.self) == "true")
      }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
      }
    }

    /// The name, or nil if the database would reject it.
    ///
    /// The user cannot change the token, so an invalid name must not prevent the sign-in.
    var usableName: String? {
      guard let name, 1...256 ~= name.utf8.count,
        !name.utf8.contains(where: { $0 < 0x20 || $0 == 0x7f })
      else { return nil }
      return name
    }

    /// The email address that the provider has verified, or nil if no address was verified or if
    /// the database would reject it.
    var usableEmail: String? {
      guard emailVerified?.value == true, let email, 1...320 ~= email.utf8.count else { return nil }
      let parts = email.unicodeScalars.split(
        separator: "@" as Unicode.Scalar, omittingEmptySubsequences: false)
      guard parts.count == 2,
        parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(Self.isVisible) })
      else { return nil }
      return email
    }

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned:
        false
      default: true
      }
    }

    /// Does nothing, because ``TokenVerifier`` selects the issuer and checks the claims.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
#endif
