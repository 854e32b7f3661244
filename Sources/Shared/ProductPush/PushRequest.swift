#if HTTP
  import AsyncHTTPClient
  import BatonJobs
  import Foundation
  import NIOCore
  import NIOHTTP1

  /// A POST request to a push service.
  struct PushRequest: Sendable {
    let url: String
    let headers: [(name: String, value: String)]
    let body: Data

    /// The time limit for the head of an APNs or FCM response.
    ///
    /// A job that sends pushes has a longer timeout.
    static let longest = TimeAmount.seconds(10)
    /// The time limit for the head of a webhook's response.
    ///
    /// All webhooks share the concurrency limit of ``PushWebhook``. Without a short time limit,
    /// slow webhooks would delay other users' webhooks.
    static let longestOfWebhook = TimeAmount.seconds(3)
    private static let mostBytes = 65_536

    /// The client for requests to APNs and FCM, which does not follow redirects.
    ///
    /// A 302 redirect would repeat the request as a GET request without the push, and the target's
    /// status would count as the response. Every redirect would send tokens to another host.
    static let client: HTTPClient = {
      var configuration = HTTPClient.Configuration.singletonConfiguration
      configuration.redirectConfiguration = .disallow
      return HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    /// Sends the request, over HTTP/2 if the server supports it.
    ///
    /// - Parameters:
    ///   - readsBody: whether the response's body is needed. For a server chosen by a user, the
    ///     value must be false, because reading the body has no time limit.
    ///   - limit: the time limit for receiving the head of the response.
    /// - Throws: an HTTP client error if no response arrives in time.
    func send(
      by client: HTTPClient = client, readsBody: Bool = true,
      within limit: TimeAmount = longest
    ) async throws -> PushResponse {
      var request = HTTPClientRequest(url: url)
      request.method = .POST
      for (name, value) in headers { request.headers.add(name: name, value: value) }
      request.body = .bytes(ByteBuffer(bytes: body))
      let response = try await client.execute(request, timeout: limit)
      // If the body is too long or the connection breaks, the response has a status but no body.
      var bytes: ByteBuffer?
      if readsBody { bytes = try? await response.body.collect(upTo: Self.mostBytes) }
      return PushResponse(
        status: Int(response.status.code), body: bytes.map { Data($0.readableBytesView) } ?? Data(),
        retryAfter: response.headers.first(name: "retry-after").flatMap { PushResponse.wait($0) })
    }
  }

  /// The response from a push service.
  struct PushResponse: Sendable {
    let status: Int
    let body: Data
    /// The time until the next attempt, or nil if the service does not specify one.
    let retryAfter: Duration?

    /// Decodes the body, or returns nil if it is not JSON of the given type.
    func read<Value: Decodable>(_ type: Value.Type) -> Value? {
      try? JSONDecoder().decode(type, from: body)
    }

    /// The error for a response that neither accepts the push nor rejects it permanently.
    ///
    /// - Parameter pause: the time until the next attempt after a 429 response without
    ///   `Retry-After`.
    func failure(of service: String, _ reason: String, pause: Duration) -> any Error {
      if let wait = retryAfter ?? (status == 429 ? pause : nil) {
        return RetryAfter(wait, PushRefused(service, reason).description)
      }
      return PushRefused(service, reason)
    }

    /// Parses the `Retry-After` header, which contains seconds or a date.
    ///
    /// The wait is at most an hour so that a wrong date cannot postpone a push for years.
    static func wait(_ text: String, now: Date = Date()) -> Duration? {
      let seconds: Double
      if let number = Int(text) {
        seconds = Double(number)
      } else {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(secondsFromGMT: 0)
        format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        guard let date = format.date(from: text) else { return nil }
        seconds = date.timeIntervalSince(now).rounded(.up)
      }
      return .seconds(min(max(seconds, 0), 3_600))
    }
  }
#endif
