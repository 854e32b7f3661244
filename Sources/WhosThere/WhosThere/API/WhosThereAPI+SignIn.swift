#if HTTP
  import Foundation
  import Presence
  import PresencePostgres
  import ProductAPI
  import SHA256

  /// The calls that prove a user's identity and begin sessions.
  extension WhosThereAPI {
    /// A signed-in user and a session token.
    struct SignedIn: Encodable {
      let user: User
      /// The token of a new session, or nil if no new session has begun.
      var token: String?
      var expiresAt: Date?
    }

    /// The credential in a request, and the device for which a session begins.
    private struct SignIn: Decodable {
      let provider: AuthProvider
      let secret: String
      let nonce: String?
      let device: String
      let displayName: String?
      let photoURL: URL?
    }

    /// Signs a user in, creating the user at the first sign-in.
    func signIn(_ call: APICall) async throws -> SignedIn {
      let request = try call.read(SignIn.self, as: Format.self)
      let (subject, name) = try await self.subject(of: request)
      let user = try await accounts.signIn(
        request.provider, subject: subject, displayName: request.displayName ?? name,
        photoURL: request.photoURL)
      return try await begin(user, on: request.device)
    }

    /// Links the anonymous caller to an account.
    ///
    /// If the account belongs to another user, the caller is merged into the other user. The merge
    /// ends the caller's sessions, so a new one begins.
    func link(_ call: APICall) async throws -> SignedIn {
      let request = try call.read(SignIn.self, as: Format.self)
      let (subject, name) = try await self.subject(of: request)
      let user = try await accounts.link(
        call.user, to: request.provider, subject: subject,
        displayName: request.displayName ?? name)
      guard !user.id.utf8.elementsEqual(call.user.utf8) else { return SignedIn(user: user) }
      return try await begin(user, on: request.device)
    }

    private func begin(_ user: User, on device: String) async throws -> SignedIn {
      let (token, expiresAt) = try await accounts.beginSession(of: user.id, on: device)
      return SignedIn(user: user, token: token, expiresAt: expiresAt)
    }

    /// Returns the subject of a credential, and the name in an identity provider's token.
    ///
    /// If the token contains a nonce, the request must contain the string whose SHA-256 hash is the
    /// nonce. Therefore, a stolen token alone is not sufficient to sign in.
    private func subject(of request: SignIn) async throws -> (subject: String, name: String?) {
      guard request.provider != .anonymous else {
        guard Self.isHex(request.secret) else {
          throw AppError.invalidInput("the secret of a device has 64 hexadecimal digits")
        }
        return (SHA256Digest.hex(of: request.secret.utf8), nil)
      }
      let identity = try await verifier.identity(of: request.secret)
      try identity.check(nonce: request.nonce)
      guard identity.key.provider == request.provider.rawValue else {
        throw AppError.invalidInput("the token belongs to another provider")
      }
      return (identity.key.subject, identity.name)
    }
  }
#endif
