#if HTTP
  import CryptoExtras
  import Foundation
  import JWTKit
  import Synchronization
  import TestSupport

  @testable import ProductPush

  /// Credentials of push services, with keys of the tests' own.
  struct PushCredentials: Sendable {
    static let apnsKey = ES256PrivateKey()
    /// The key of the service account.
    ///
    /// All tests share the key, because making a key takes a tenth of a second.
    static let account = Result { try _RSA.Signing.PrivateKey(keySize: .bits2048) }

    /// The folders of all credentials, which senders read for longer than the credentials exist.
    private static let folders = Mutex<[TemporaryFolder]>([])
    private let environment: [String: String]

    /// Writes files with the credentials of the services at a server.
    init(_ server: ScriptedServer) throws {
      let folder = try TemporaryFolder()
      Self.folders.withLock { $0.append(folder) }
      let key = try folder.write("apns.p8", Array(Self.apnsKey.pemRepresentation.utf8))
      let account = try JSONSerialization.data(
        withJSONObject: [
          "type": "service_account", "project_id": "project", "private_key_id": "key-1",
          "private_key": try Self.account.get().pemRepresentation,
          "client_email": "push@project.test", "token_uri": "\(server.address)/token",
        ], options: .prettyPrinted)
      let file = try folder.write("fcm.json", Array(account))
      for path in [key, file] {
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      }
      environment = [
        "BATON_PUSH_APNS_KEY_FILE": key, "BATON_PUSH_APNS_KEY_ID": "KEY1",
        "BATON_PUSH_APNS_TEAM": "TEAM1", "BATON_PUSH_APNS_TOPIC": "test.app",
        "BATON_PUSH_APNS_URL": server.address, "BATON_PUSH_FCM_FILE": file,
        "BATON_PUSH_FCM_URL": server.address, "BATON_PUSH_WEBHOOKS": "private",
      ]
    }

    /// The services.
    ///
    /// - Parameter shortestUse: the time for which a refused token is not replaced.
    func senders(
      shortestUse: Duration = .zero, _ changes: [String: String] = [:]
    ) -> PushSenders {
      PushSenders(environment.merging(changes) { $1 }, shortestUse: shortestUse)
    }

    /// Reads the claims of a token that the key of APNs signed.
    static func claims(ofAPNs token: String) async throws -> ProviderClaims {
      let keys = JWTKeyCollection()
      await keys.add(ecdsa: apnsKey.publicKey, kid: "KEY1")
      return try await keys.verify(token, as: ProviderClaims.self)
    }

    /// Reads the claims of an assertion that the service account signed.
    static func claims(ofAssertion token: String) async throws -> AssertionClaims {
      let keys = JWTKeyCollection()
      let key = try Insecure.RSA.PublicKey(pem: account.get().publicKey.pemRepresentation)
      await keys.add(rsa: key, digestAlgorithm: .sha256, kid: "key-1")
      return try await keys.verify(token, as: AssertionClaims.self)
    }
  }

  /// The claims of a token for APNs.
  struct ProviderClaims: JWTPayload {
    let iss: String
    let iat: Double

    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }

  /// The claims of an assertion of a service account.
  struct AssertionClaims: JWTPayload {
    let iss, scope, aud: String
    let iat, exp: Double

    func verify(using algorithm: some JWTAlgorithm) async throws {}
  }
#endif
