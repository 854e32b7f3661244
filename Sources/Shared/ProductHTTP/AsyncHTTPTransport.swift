#if HTTP && !canImport(Darwin)
  import AsyncHTTPClient
  public import Foundation
  import NIOCore
  import NIOHTTP1

  /// Sends HTTP requests with the shared client of AsyncHTTPClient, which needs no shutdown.
  public struct AsyncHTTPTransport: HTTPTransport {
    /// Creates a transport.
    public init() {}

    /// Sends a request, and returns the complete response.
    public func send(_ request: TransportRequest) async throws -> TransportResponse {
      let response = try await Self.execute(request)
      return try await Self.complete(response)
    }

    /// Sends a request, and passes the parts of the response's body to `receive`.
    public func stream(
      _ request: TransportRequest, receive: @Sendable (Data) async throws -> Void
    ) async throws -> TransportResponse {
      let response = try await Self.execute(request)
      guard response.status.code == 200 else { return try await Self.complete(response) }
      for try await part in response.body { try await receive(Data(part.readableBytesView)) }
      return TransportResponse(status: 200, headers: Self.headers(of: response))
    }

    private static func execute(_ request: TransportRequest) async throws -> HTTPClientResponse {
      var sent = HTTPClientRequest(url: request.url)
      sent.method = HTTPMethod(rawValue: request.method)
      for (name, value) in request.headers { sent.headers.add(name: name, value: value) }
      if let body = request.body { sent.body = .bytes(ByteBuffer(bytes: body)) }
      return try await HTTPClient.shared.execute(sent, deadline: .distantFuture)
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
