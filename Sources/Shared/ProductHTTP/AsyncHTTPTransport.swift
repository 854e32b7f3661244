#if HTTP && !canImport(Darwin)
  public import AsyncHTTPClient
  public import Foundation
  import NIOCore
  import NIOHTTP1

  /// Sends HTTP requests with AsyncHTTPClient.
  public struct AsyncHTTPTransport: HTTPTransport {
    /// The client of all transports, which exists until the process ends and needs no shutdown.
    ///
    /// If a server does not accept a connection, a call fails immediately. The app decides when to
    /// repeat the call. The API does not redirect requests.
    private static let shared: HTTPClient = {
      var configuration = HTTPClient.Configuration()
      configuration.redirectConfiguration = .disallow
      configuration.timeout.connect = .seconds(10)
      configuration.connectionPool.retryConnectionEstablishment = false
      configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
      // The server closes an idle connection after 60 seconds.
      configuration.connectionPool.idleTimeout = .seconds(30)
      return HTTPClient(
        eventLoopGroup: HTTPClient.defaultEventLoopGroup, configuration: configuration)
    }()

    private let client: HTTPClient

    /// Creates a transport whose client opens at most 64 connections per server.
    public init() { client = Self.shared }

    /// Creates a transport with a client that the caller shuts down.
    ///
    /// Each open stream uses one connection, so a program that follows many streams needs a client
    /// with a high connection limit.
    public init(client: HTTPClient) { self.client = client }

    /// Sends a request, and returns the complete response.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
      let response = try await execute(request)
      return try await Self.complete(response)
    }

    /// Sends a request, and passes the parts of the response's body to `receive`.
    public func stream(
      _ request: TransportRequest, receive: @Sendable (Data) async throws -> Void
    ) async throws -> TransportResponse {
      let response = try await execute(request)
      guard response.status.code == 200 else { return try await Self.complete(response) }
      for try await part in response.body { try await receive(Data(part.readableBytesView)) }
      return TransportResponse(status: 200, headers: Self.headers(of: response))
    }

    private func execute(_ request: TransportRequest) async throws -> HTTPClientResponse {
      var sent = HTTPClientRequest(url: request.url)
      sent.method = HTTPMethod(rawValue: request.method)
      for (name, value) in request.headers { sent.headers.add(name: name, value: value) }
      if let body = request.body { sent.body = .bytes(ByteBuffer(bytes: body)) }
      // The time limit applies only to the head of the response. By default, the caller's own time
      // limits are shorter than this hour.
      return try await client.execute(sent, timeout: .hours(1))
    }

    private static func complete(
      _ response: HTTPClientResponse
    ) async throws -> TransportResponse {
      let body = try await response.body.collect(upTo: TransportResponse.mostBytes)
      return TransportResponse(
        status: Int(response.status.code), headers: headers(of: response),
        body: Data(body.readableBytesView))
    }

    private static func headers(
      of response: HTTPClientResponse
    ) -> [(name: String, value: String)] {
      response.headers.map { (name: $0.name, value: $0.value) }
    }
  }
#endif
