public import Foundation

/// Returns the bearer token of the signed-in user, or nil if no user is signed in.
///
/// The argument is nil, or a token that the server has just rejected. If the argument is a rejected
/// token, the function gets a new token, for example from the identity provider. If the function
/// returns the rejected token or nil, the call fails. If the function returns the token of a user
/// other than the call's user, the server rejects the call. The function can be called
/// concurrently.
public typealias TokenProvider = @Sendable (_ refused: String?) async throws -> String?

/// An app's connection to a product's HTTP API.
///
/// A connection does not have to be closed. Any number of tasks can use the same connection. A call
/// is repeated only after a 401 response. The call is repeated at most once, with a new token.
public struct ServerConnection: Sendable {
  /// The default time limit for a call: 30 seconds.
  ///
  /// The server ends each request after 20 seconds.
  public static let defaultTimeout = Duration.seconds(30)
  /// The default time between two polls of a resource if the server offers no streams: 2 seconds.
  public static let defaultPause = Duration.seconds(2)

  let pause: Duration
  private let address: String
  private let transport: any HTTPTransport
  private let timeout: Duration
  private let tokens: TokenProvider

  /// Creates a connection without connecting to the server.
  ///
  /// - Parameters:
  ///   - address: the server's address, without `/v1`, such as `https://api.example.com`.
  ///   - transport: the transport for requests.
  ///   - timeout: the time limit for a call.
  ///   - pause: the time between two polls of a resource if the server offers no streams.
  ///   - tokens: a function that returns the token of the signed-in user.
  public init(
    to address: URL, transport: any HTTPTransport,
    timeout: Duration = ServerConnection.defaultTimeout,
    pause: Duration = ServerConnection.defaultPause, tokens: @escaping TokenProvider
  ) {
    let text = address.absoluteString
    self.address = text.hasSuffix("/") ? String(text.dropLast()) : text
    (self.transport, self.timeout, self.pause) = (transport, timeout, pause)
    self.tokens = tokens
  }

  #if canImport(Darwin)
    /// Creates a connection with `URLSession`.
    public init(to address: URL, tokens: @escaping TokenProvider) {
      self.init(to: address, transport: URLSessionTransport(), tokens: tokens)
    }
  #elseif HTTP
    /// Creates a connection with AsyncHTTPClient.
    public init(to address: URL, tokens: @escaping TokenProvider) {
      self.init(to: address, transport: AsyncHTTPTransport(), tokens: tokens)
    }
  #endif

  /// Sends a call, and returns the response if its status is 200, 204 or 304.
  ///
  /// - Parameter version: the `ETag` of the content that the app already has, or nil.
  /// - Throws: `APIFailure` for a status other than 200, 204 and 304. `CancellationError` if the
  ///   task was cancelled. Any other error if no response arrived.
  package func send(
    _ call: ClientCall, version: String? = nil
  ) async throws -> TransportResponse {
    try await authorized(call) { [transport, timeout] headers in
      var headers = headers
      if let version { headers.append((name: "If-None-Match", value: version)) }
      let request = self.request(call, headers)
      return try await limited(to: timeout) { try await transport.send(request) }
    }
  }

  /// Opens a stream, and passes the parts of the body to `receive` until the stream ends.
  ///
  /// - Throws: the errors that ``send(_:version:)`` and `receive` throw.
  func stream(
    _ call: ClientCall, after lastEventId: String,
    receive: @escaping @Sendable (Data) async throws -> Void
  ) async throws {
    _ = try await authorized(call) { [transport] headers in
      var headers = headers + [(name: "Accept", value: "text/event-stream")]
      if !lastEventId.isEmpty { headers.append((name: "Last-Event-ID", value: lastEventId)) }
      return try await transport.stream(self.request(call, headers), receive: receive)
    }
  }

  /// Sends a request with the user's token, and once more with a new token if the server rejects
  /// the first one.
  private func authorized(
    _ call: ClientCall,
    _ perform: ([(name: String, value: String)]) async throws -> TransportResponse
  ) async throws -> TransportResponse {
    guard !call.isOpen else { return try Self.checked(try await perform([])) }
    guard let token = try await tokens(nil) else {
      throw APIFailure(status: 401, body: Self.withoutToken)
    }
    let response = try await perform(Self.headers(token))
    guard response.status == 401, let next = try await tokens(token), next != token else {
      return try Self.checked(response)
    }
    return try Self.checked(try await perform(Self.headers(next)))
  }

  /// The error body for a call that the client rejects because no token is available.
  private static let withoutToken = Data(#"{"code":"notAuthenticated"}"#.utf8)

  private static func headers(_ token: String) -> [(name: String, value: String)] {
    [(name: "Authorization", value: "Bearer \(token)")]
  }

  private static func checked(_ response: TransportResponse) throws -> TransportResponse {
    guard [200, 204, 304].contains(response.status) else {
      throw APIFailure(status: response.status, body: response.body)
    }
    return response
  }

  private func request(
    _ call: ClientCall, _ headers: [(name: String, value: String)]
  ) -> TransportRequest {
    var headers = headers
    if let user = call.user { headers.append((name: "Expected-User", value: user)) }
    if let key = call.key { headers.append((name: "Idempotency-Key", value: key)) }
    if call.body != nil { headers.append((name: "Content-Type", value: "application/json")) }
    return TransportRequest(
      method: call.method, url: address + call.path, headers: headers, body: call.body)
  }
}

extension ServerConnection {
  /// Returns whether a string can be the value of the `Idempotency-Key` header: 1 to 256 visible
  /// ASCII characters.
  package static func isKey(_ text: String) -> Bool {
    1...256 ~= text.utf8.count && text.utf8.allSatisfy { 0x21...0x7e ~= $0 }
  }
}
