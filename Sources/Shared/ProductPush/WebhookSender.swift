#if HTTP
  import AsyncHTTPClient
  import BatonIdentity
  import BatonJobs
  import BatonPostgres
  import Foundation
  import NIOCore

  /// Sends push notifications to the URLs that users registered.
  ///
  /// A URL that a user chose must not lead to the worker's own network. Before each request, the
  /// sender resolves the host once and rejects it if an address is not public. The request is sent
  /// to the resolved address, because a second resolution could return a private address. Redirects
  /// are not followed.
  ///
  /// A temporary failure throws `RetryAfter`, which does not affect other webhooks' runs. The
  /// worker does not count `RetryAfter` when it searches for a shared cause of failures.
  struct WebhookSender: PushSender {
    /// Whether requests may be sent to this machine without TLS, which only tests need.
    let allowsPrivate: Bool

    func send(
      _ content: PushContent, to device: PushDevice, run: Int64
    ) async throws -> PushOutcome {
      guard let secret = device.secret, let url = URLComponents(string: device.token.text),
        let host = url.host?.lowercased(), !host.isEmpty, !host.contains(":"), url.user == nil,
        url.password == nil,
        // If a port does not fit into 16 bits, NIO stops the process.
        1...65_535 ~= url.port ?? 443,
        url.scheme == "https" || allowsPrivate && url.scheme == "http"
      else { return .unregistered(since: nil) }
      guard let addresses = try? await HostLookups.shared.resolve(host, within: .seconds(3)) else {
        throw Self.failure("its host cannot be resolved")
      }
      // A host is rejected if at least one of its addresses is private or belongs to this machine.
      guard let address = addresses.first,
        allowsPrivate
          || addresses.allSatisfy(\.isPublic)
            && NetworkAddress.ofThisMachine().isDisjoint(with: addresses)
      else { return .unregistered(since: nil) }
      var pins = [host: address.text]
      pins[url.host ?? host] = address.text
      let body = try JSONEncoder().encode(Payload(content, device))
      let response: PushResponse
      do {
        response = try await post(
          body, to: device.token.text, headers: Self.headers(body, secret: secret.text, run: run),
          connectingTo: pins)
      } catch {
        // Only the error's type is stored, because its text can contain the address.
        throw Self.failure("no response (\(type(of: error)))")
      }
      return try Self.outcome(of: response)
    }

    private static func failure(_ reason: String, after wait: Duration? = nil) -> RetryAfter {
      RetryAfter(wait ?? .seconds(60), PushRefused("The webhook", reason).description)
    }

    private func post(
      _ body: Data, to url: String, headers: [(name: String, value: String)],
      connectingTo addresses: [String: String]
    ) async throws -> PushResponse {
      var configuration = HTTPClient.Configuration()
      configuration.redirectConfiguration = .disallow
      configuration.dnsOverride = addresses
      // The job retries. By default, the client would retry the connection until the request's time
      // limit.
      configuration.connectionPool.retryConnectionEstablishment = false
      let client = HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup,
        configuration: configuration)
      let response: Result<PushResponse, any Error>
      do {
        response = .success(
          try await PushRequest(url: url, headers: headers, body: body)
            .send(by: client, readsBody: false, within: PushRequest.longestOfWebhook))
      } catch {
        response = .failure(error)
      }
      // A client must be shut down before it is released.
      try? await client.shutdown()
      return try response.get()
    }

    /// Returns the headers, including a signature of the time and the body.
    private static func headers(
      _ body: Data, secret: String, run: Int64, now: Date = Date()
    ) -> [(name: String, value: String)] {
      let time = "\(Int(now.timeIntervalSince1970))"
      let hmac = HMACSHA256(key: Array(secret.utf8)).hex(of: Array("\(time).".utf8) + body)
      return [
        ("content-type", "application/json"), ("idempotency-key", "\(run)"),
        ("baton-signature", "t=\(time),v1=\(hmac)"),
      ]
    }

    private static func outcome(of response: PushResponse) throws -> PushOutcome {
      switch response.status {
      case 200..<300: return .accepted
      case 410: return .unregistered(since: nil)
      case 408, 429: throw failure("\(response.status)", after: response.retryAfter)
      case 400..<500: return .refused
      default: throw failure("\(response.status)", after: response.retryAfter)
      }
    }

    private struct Payload: Encodable {
      let kind, title, body, groupId, locale, collapseId: String
      let data: [String: String]
      let expiresAt: Int

      init(_ content: PushContent, _ device: PushDevice) {
        (kind, title, body) = (content.kind, content.title, content.body)
        (groupId, locale, collapseId) = (content.groupId, device.locale, content.collapseID)
        data = content.data
        expiresAt = Int(content.expiresAt.timeIntervalSince1970)
      }
    }
  }
#endif
