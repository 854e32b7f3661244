#if HTTP
  import BatonPostgres
  import Foundation
  import JWTKit

  /// The file of a Google service account, whose key is exchanged for access tokens (RFC 7523).
  struct ServiceAccountFile: Sendable {
    let file: PasswordFile

    /// The fields of the service account file that a token exchange needs.
    struct Account: Decodable {
      let projectID, keyID, key, email, tokenURL: String

      enum CodingKeys: String, CodingKey {
        case projectID = "project_id"
        case keyID = "private_key_id"
        case key = "private_key"
        case email = "client_email"
        case tokenURL = "token_uri"
      }
    }

    /// Rereads the file at each call so that a replaced file is used without a restart.
    ///
    /// - Throws: `PostgresError` if the file is unusable, ``PushRefused`` for invalid content.
    func read() throws -> Account {
      let text = try file.readLines().map(\.text).joined(separator: "\n")
      guard let account = try? JSONDecoder().decode(Account.self, from: Data(text.utf8)) else {
        throw PushRefused("FCM", "\(file.path) does not hold a service account in JSON")
      }
      return account
    }

    /// Exchanges a signed assertion for an access token.
    ///
    /// - Throws: ``PushRefused``, `RetryAfter`, or an HTTP client error.
    func accessToken() async throws -> CachedToken.Made {
      let account = try read()
      // The token needs no percent-encoding, because its characters are all allowed in a form.
      let form =
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Ajwt-bearer&assertion="
        + (try await assertion(of: account))
      let response = try await PushRequest(
        url: account.tokenURL,
        headers: [("content-type", "application/x-www-form-urlencoded")],
        body: Data(form.utf8)
      ).send()
      guard response.status == 200, let answer = response.read(Answer.self) else {
        throw response.failure(
          of: "The token server of FCM", "status \(response.status)", pause: .seconds(60))
      }
      // The token is replaced a minute before it expires, so that no token expires before its
      // request arrives.
      return CachedToken.Made(
        text: answer.accessToken,
        until: ContinuousClock.now + .seconds(min(max(answer.expiresIn, 61), 86_400) - 60))
    }

    private func assertion(of account: Account) async throws -> String {
      guard let key = try? Insecure.RSA.PrivateKey(pem: account.key) else {
        throw PushRefused("FCM", "\(file.path) does not hold an RSA key")
      }
      let signer = JWTKeyCollection()
      let id = JWKIdentifier(string: account.keyID)
      await signer.add(rsa: key, digestAlgorithm: .sha256, kid: id)
      let now = Int(Date().timeIntervalSince1970)
      let claims = Claims(
        iss: account.email, scope: "https://www.googleapis.com/auth/firebase.messaging",
        aud: account.tokenURL, iat: now, exp: now + 3_600)
      return try await signer.sign(claims, kid: id)
    }

    private struct Claims: JWTPayload {
      let iss, scope, aud: String
      let iat, exp: Int

      func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private struct Answer: Decodable {
      let accessToken: String
      let expiresIn: Int

      enum CodingKeys: String, CodingKey {
        case accessToken = "access_token"
        case expiresIn = "expires_in"
      }
    }
  }
#endif
