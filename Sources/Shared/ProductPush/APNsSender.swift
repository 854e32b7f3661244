#if HTTP
  import AsyncHTTPClient
  import BatonJobs
  import BatonPostgres
  import Foundation
  import JWTKit

  /// Sends push notifications through the Apple Push Notification service.
  struct APNsSender: PushSender {
    private let topic: String
    /// The base URL of a test server, or nil for Apple's servers.
    private let base: String?
    private let token: CachedToken
    private let client: HTTPClient

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - keyFile: the file with the signing key, in PEM format.
    ///   - keyID: the id of the signing key.
    ///   - team: the id of the developer team.
    ///   - topic: the app's bundle id.
    ///   - shortestUse: how long a new token is used, even if APNs rejects it.
    ///   - client: the HTTP client. Tests pass a client that trusts the tests' certificate
    ///     authority.
    init(
      keyFile: PasswordFile, keyID: String, team: String, topic: String, base: String?,
      shortestUse: Duration, client: HTTPClient = PushRequest.client
    ) {
      (self.topic, self.base, self.client) = (topic, base, client)
      token = CachedToken(shortestUse: shortestUse) {
        let pem = try keyFile.readLines().map(\.text).joined(separator: "\n")
        guard let key = try? ES256PrivateKey(pem: pem) else {
          throw PushRefused("APNs", "\(keyFile.path) does not hold a key for ES256 in PEM")
        }
        let signer = JWTKeyCollection()
        let id = JWKIdentifier(string: keyID)
        await signer.add(ecdsa: key, kid: id)
        let claims = Claims(iss: team, iat: Int(Date().timeIntervalSince1970))
        // APNs accepts a token for an hour.
        return CachedToken.Made(
          text: try await signer.sign(claims, kid: id), until: ContinuousClock.now + .seconds(3_000)
        )
      }
    }

    func send(
      _ content: PushContent, to device: PushDevice, run: Int64
    ) async throws -> PushOutcome {
      let first = try await token.text()
      var response = try await post(content, to: device, run: run, as: first)
      var failure = response.read(Failure.self)
      if response.status == 403, Self.tokenReasons.contains(failure?.reason ?? "") {
        let second = try await token.text(replacing: first)
        if second != first {
          response = try await post(content, to: device, run: run, as: second)
          failure = response.read(Failure.self)
        }
      }
      return try Self.outcome(of: response, failure)
    }

    private func post(
      _ content: PushContent, to device: PushDevice, run: Int64, as token: String
    ) async throws -> PushResponse {
      let host = device.isSandbox ? "api.sandbox.push.apple.com" : "api.push.apple.com"
      return try await PushRequest(
        url: "\(base ?? "https://\(host)")/3/device/\(device.token.text)",
        headers: [
          ("authorization", "bearer \(token)"), ("content-type", "application/json"),
          ("apns-topic", topic), ("apns-push-type", "alert"), ("apns-priority", "10"),
          ("apns-expiration", "\(Int(content.expiresAt.timeIntervalSince1970))"),
          ("apns-collapse-id", content.collapseID), ("apns-id", Self.id(of: run)),
        ],
        body: try JSONEncoder().encode(Payload(content))
      ).send(by: client)
    }

    /// A run's id as a UUID, which APNs requires and returns.
    private static func id(of run: Int64) -> String {
      let digits = String(UInt64(bitPattern: run) & 0xffff_ffff_ffff, radix: 16)
      return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    // MARK: Responses

    private struct Failure: Decodable {
      let reason: String?
      /// The time since which the token has been invalid, in milliseconds since 1970.
      let timestamp: Double?
    }

    /// The rejection reasons after which a new provider token may be accepted.
    private static let tokenReasons: Set = ["ExpiredProviderToken", "InvalidProviderToken"]
    /// The rejection reasons that mean that the device's token is not valid in this environment.
    ///
    /// If the topic in the settings is wrong, APNs rejects every device with
    /// `DeviceTokenNotForTopic`. The list omits `DeviceTokenNotForTopic` so that a wrong topic does
    /// not delete devices.
    private static let deviceReasons: Set = ["BadDeviceToken", "Unregistered", "ExpiredToken"]

    private static func outcome(
      of response: PushResponse, _ failure: Failure?
    ) throws -> PushOutcome {
      let reason = failure?.reason ?? "no reason"
      switch response.status {
      case 200: return .accepted
      case 410:
        return .unregistered(
          since: failure?.timestamp.map { Date(timeIntervalSince1970: $0 / 1_000) })
      case 400 where deviceReasons.contains(reason): return .unregistered(since: nil)
      case 400, 404, 405, 413:
        throw Permanent("APNs refuses the push: \(response.status) \(reason)")
      default:
        throw response.failure(
          of: "APNs", "\(response.status) \(reason)", pause: .seconds(60))
      }
    }

    // MARK: Requests

    private struct Claims: JWTPayload {
      let iss: String
      let iat: Int

      func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    private struct Payload: Encodable {
      struct Alert: Encodable {
        let title, body: String
      }

      struct Content: Encodable {
        let alert: Alert
        let badge: Int?
        let sound = "default"
        let threadID: String
        // An app extension may replace the text before the phone displays the push.
        let mutableContent = 1

        enum CodingKeys: String, CodingKey {
          case alert, badge, sound
          case threadID = "thread-id"
          case mutableContent = "mutable-content"
        }
      }

      let aps: Content
      let kind, groupId: String
      let data: [String: String]

      init(_ content: PushContent) {
        aps = Content(
          alert: Alert(title: content.title, body: content.body), badge: content.badge,
          threadID: content.groupId)
        (kind, groupId, data) = (content.kind, content.groupId, content.data)
      }
    }
  }
#endif
