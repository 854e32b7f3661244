#if canImport(Darwin)
  public import Foundation

  /// Sends HTTP requests with `URLSession`, on Apple platforms.
  ///
  /// This type is not tested, because the tests of this package run only on Linux.
  public struct URLSessionTransport: HTTPTransport {
    private let session: URLSession

    /// Creates a transport.
    ///
    /// The session must not cache responses. A session with a cache would return a cached response
    /// instead of a 304 response. The default session does not cache responses.
    public init(session: URLSession = URLSession(configuration: .ephemeral)) {
      self.session = session
    }

    /// Sends a request, and returns the complete response.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
      let (data, response) = try await session.data(for: try Self.request(request))
      return TransportResponse(
        status: Self.status(of: response), headers: Self.headers(of: response), body: data)
    }

    /// Sends a request, and passes the lines of the response's body to `receive`.
    public func stream(
      _ request: TransportRequest, receive: @Sendable (Data) async throws -> Void
    ) async throws -> TransportResponse {
      var sent = try Self.request(request)
      // The server sends heartbeats on a stream, so a silence of more than a minute means that the
      // connection is lost.
      sent.timeoutInterval = 60
      let (bytes, response) = try await session.bytes(for: sent)
      let isStream = Self.status(of: response) == 200
      var part = Data()
      for try await byte in bytes {
        part.append(byte)
        guard isStream, byte == UInt8(ascii: "\n") else { continue }
        try await receive(part)
        part = Data()
      }
      return TransportResponse(
        status: Self.status(of: response), headers: Self.headers(of: response),
        body: isStream ? Data() : part)
    }

    private static func request(_ request: TransportRequest) throws -> URLRequest {
      guard let url = URL(string: request.url) else { throw URLError(.badURL) }
      var sent = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
      sent.httpMethod = request.method
      for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
      sent.httpBody = request.body
      return sent
    }

    private static func status(of response: URLResponse) -> Int {
      (response as? HTTPURLResponse)?.statusCode ?? 0
    }

    private static func headers(of response: URLResponse) -> [(name: String, value: String)] {
      let fields = (response as? HTTPURLResponse)?.allHeaderFields ?? [:]
      return fields.map { (name: "\($0.key)", value: "\($0.value)") }
    }
  }
#endif
