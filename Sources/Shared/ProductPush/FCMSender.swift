#if HTTP
  import BatonJobs
  import BatonPostgres
  import Foundation

  /// Sends push notifications through Firebase Cloud Messaging, with the HTTP v1 API.
  struct FCMSender: PushSender {
    private let base: String
    private let account: ServiceAccountFile
    private let token: CachedToken

    /// Creates a sender.
    ///
    /// - Parameters:
    ///   - file: the file with the service account, as Google issues it in JSON.
    ///   - base: the base URL of a test server, or nil for Google's server.
    ///   - shortestUse: how long a new token is used, even if FCM rejects it.
    init(file: PasswordFile, base: String?, shortestUse: Duration) {
      self.base = base ?? "https://fcm.googleapis.com"
      let account = ServiceAccountFile(file: file)
      self.account = account
      token = CachedToken(shortestUse: shortestUse) { try await account.accessToken() }
    }

    func send(
      _ content: PushContent, to device: PushDevice, run: Int64
    ) async throws -> PushOutcome {
      let first = try await token.text()
      var response = try await post(content, to: device, as: first)
      if response.status == 401 {
        let second = try await token.text(replacing: first)
        if second != first { response = try await post(content, to: device, as: second) }
      }
      return try Self.outcome(of: response)
    }

    private func post(
      _ content: PushContent, to device: PushDevice, as token: String
    ) async throws -> PushResponse {
      try await PushRequest(
        url: "\(base)/v1/projects/\(try account.read().projectID)/messages:send",
        headers: [
          ("authorization", "Bearer \(token)"), ("content-type", "application/json"),
        ],
        body: try JSONEncoder().encode(Payload(content, token: device.token.text))
      ).send()
    }

    // MARK: Responses

    private struct Failure: Decodable {
      struct Violation: Decodable {
        let field: String?
      }

      struct Detail: Decodable {
        let errorCode: String?
        let fieldViolations: [Violation]?
      }

      struct Status: Decodable {
        let status: String?
        let details: [Detail]?
      }

      let error: Status

      /// The FCM error code, or the general error code of Google's APIs.
      var code: String {
        error.details?.compactMap(\.errorCode).first ?? error.status ?? "no code"
      }

      /// Whether the device's token is the only invalid field in the request.
      var refusesToken: Bool {
        let fields = (error.details ?? []).flatMap { $0.fieldViolations ?? [] }.map(\.field)
        return !fields.isEmpty && fields.allSatisfy { $0 == "message.token" }
      }
    }

    private static func outcome(of response: PushResponse) throws -> PushOutcome {
      let failure = response.read(Failure.self)
      let code = failure?.code ?? "no code"
      switch (response.status, code) {
      case (200, _): return .accepted
      case (404, "UNREGISTERED"): return .unregistered(since: nil)
      case (400, _) where failure?.refusesToken == true: return .unregistered(since: nil)
      // If the service account belongs to the wrong project, FCM responds with SENDER_ID_MISMATCH
      // for every device. The devices must not be deleted.
      case (400, _), (413, _), (403, "SENDER_ID_MISMATCH"):
        throw Permanent("FCM refuses the push: \(response.status) \(code)")
      default:
        // Google asks senders to wait a minute after a 429 response without Retry-After.
        throw response.failure(of: "FCM", "\(response.status) \(code)", pause: .seconds(60))
      }
    }

    // MARK: Requests

    private struct Payload: Encodable {
      struct Notification: Encodable {
        let title, body: String
      }

      struct AndroidNotification: Encodable {
        /// A notification replaces an earlier one with the same tag.
        ///
        /// A collapse key is not sent, because FCM stores at most four collapse keys for an offline
        /// phone.
        let tag: String
      }

      struct Android: Encodable {
        let ttl: String
        let notification: AndroidNotification
      }

      struct Message: Encodable {
        let token: String
        let notification: Notification
        let data: [String: String]
        let android: Android
      }

      let message: Message

      init(_ content: PushContent, token: String) {
        var data = content.data
        (data["kind"], data["groupId"]) = (content.kind, content.groupId)
        let seconds = max(Int(content.expiresAt.timeIntervalSinceNow.rounded(.up)), 0)
        message = Message(
          token: token, notification: Notification(title: content.title, body: content.body),
          data: data,
          android: Android(
            ttl: "\(seconds)s", notification: AndroidNotification(tag: content.collapseID)))
      }
    }
  }
#endif
