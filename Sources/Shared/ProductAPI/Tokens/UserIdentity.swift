#if HTTP
  import SHA256

  /// The identity of a caller, as confirmed by a verified token.
  package struct UserIdentity: Sendable {
    /// The part of an identity that never changes.
    package struct Key: Sendable {
      /// The name of the identity provider in the product, such as `apple`.
      package let provider: String
      /// The user's id at the provider.
      package let subject: String

      /// The identity's key as one string.
      ///
      /// A provider's name contains no line break, so different keys have different strings.
      var text: String { "\(provider)\n\(subject)" }
    }

    package let key: Key
    /// Whether the subject is the user's id in the product.
    package let isUser: Bool
    /// The nonce in the token, or nil if there is none.
    package let nonce: String?
    /// The email address that the provider has verified, or nil if the token contains no valid and
    /// verified address.
    package let email: String?
    /// The name in the token, or nil if the token contains no valid name.
    package let name: String?
    /// The time when the token expires, in seconds since 1970.
    let expiresAt: Double

    /// Checks that a request contains the secret string from which the token's nonce was computed.
    ///
    /// The nonce is only the SHA-256 hash of the secret string, so a stolen token does not reveal
    /// the string.
    ///
    /// - Throws: ``APIRefusal`` with status 401.
    package func check(nonce text: String?) throws(APIRefusal) {
      let hash = text.map { SHA256Digest.hex(of: $0.utf8) }
      guard hash == nonce else {
        throw .notAuthenticated(
          "the nonce of the request does not match the token",
          next: "Send the text of the token's nonce, or no nonce if the token has none.")
      }
    }
  }
#endif
