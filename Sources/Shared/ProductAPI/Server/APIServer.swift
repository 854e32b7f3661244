#if HTTP
  package import Baton
  import BatonOperations
  import HTTPTypes
  import HummingbirdCore
  package import Logging
  import NIOCore
  import NIOHTTPTypes

  /// The HTTP server of a product's API.
  package struct APIServer: Sendable {
    /// The maximum number of open connections.
    static let mostConnections = 4_096

    private let listener: HTTPListener
    private let close: @Sendable () async -> Void
    package var address: HTTPAddress { listener.address }

    /// Starts the server.
    ///
    /// When the method returns, the server accepts requests.
    ///
    /// - Parameter proxies: the proxies whose information about the client of a request is trusted.
    /// - Throws: `Complaint` if the address cannot be used.
    package static func start<Product>(
      _ handler: APIHandler<Product>, at address: HTTPAddress, through proxies: TrustedProxies,
      logger: Logger
    ) async throws -> APIServer {
      let listener = try await HTTPListener.start(
        at: address, connections: mostConnections, channel(handler, proxies), logger: logger)
      return APIServer(listener: listener) { await handler.close() }
    }

    /// Stops accepting connections, and waits for open requests.
    ///
    /// The database cancels each statement after five seconds. If a request with several statements
    /// takes longer, its connection is closed, and the client repeats the request.
    package func stop() async {
      await listener.stop(within: .seconds(6))
      await close()
    }

    private static func channel<Product>(
      _ handler: APIHandler<Product>, _ proxies: TrustedProxies
    ) -> HTTP1Channel {
      HTTP1Channel(
        responder: { request, writer, channel in
          let peer = channel.remoteAddress?.ipAddress ?? TrustedProxies.socket
          let read = try await APIRequest(reading: request, from: peer, through: proxies)
          let reply = await handler.reply(to: read)
          let isHead = read.method == "HEAD"
          try await writer.write(
            response: reply.head(closes: read.isBodyTooLong, isHead: isHead),
            body: isHead ? ResponseBody() : reply.content)
          // The rest of the body is not read, so the connection cannot be used again.
          if read.isBodyTooLong { throw BodyTooLong() }
        },
        configuration: .init(
          additionalChannelHandlers: [RequestTime()],
          idleTimeout: .seconds(60),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 64)))
    }

    private struct BodyTooLong: Error {}
  }

  extension APIRequest {
    /// Creates a request with at most ``longestBody`` bytes of its body.
    fileprivate init(
      reading request: HummingbirdCore.Request, from peer: String, through proxies: TrustedProxies
    ) async throws {
      self.init()
      let head = request.head
      method = head.method.rawValue
      let target = head.path ?? "/"
      path = String(target.prefix { $0 != "?" })
      query = FormText.pairs(target.dropFirst(path.count + 1))
      for field in head.headerFields {
        headers[field.name.canonicalName, default: []].append(field.value)
      }
      address = proxies.client(of: peer, forwarded: headers["x-forwarded-for"] ?? [])
      for try await part in request.body {
        guard body.count + part.readableBytes <= Self.longestBody else {
          (body, isBodyTooLong) = ([], true)
          return
        }
        body += part.readableBytesView
      }
    }
  }

  extension APIReply {
    /// The body as the server sends it.
    fileprivate var content: ResponseBody {
      if let body { return ResponseBody(byteBuffer: ByteBuffer(bytes: body)) }
      guard let pieces else { return ResponseBody() }
      return ResponseBody { writer in
        for try await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
        try await writer.finish(nil)
      }
    }

    /// The headers of every response.
    ///
    /// A cache that several users share must not store the content, because the content depends on
    /// the user.
    private static let always = [
      ("cache-control", "no-store"), ("x-content-type-options", "nosniff"),
      ("vary", "Authorization"),
    ]

    /// Returns the head of the response.
    ///
    /// - Parameter isHead: whether the request has the method HEAD, so that no body follows.
    fileprivate func head(closes: Bool, isHead: Bool) -> HTTPResponse {
      var fields = Dictionary(Self.always) { first, _ in first }
      if let version {
        fields["etag"] = version
        fields["cache-control"] = "private, no-cache"
      }
      if let body {
        fields["content-type"] = type
        fields["content-length"] = "\(body.count)"
      } else if pieces != nil, !isHead {
        // Without a length, the server sends the body in chunks.
        fields["content-type"] = type
      } else if status != 204, status != 304 {
        fields["content-length"] = "0"
      }
      if closes { fields["connection"] = "close" }
      var headers = HTTPFields()
      for (name, value) in fields.merging(self.headers, uniquingKeysWith: { $1 }).sorted(
        by: { $0.key < $1.key })
      {
        guard let name = HTTPField.Name(name) else { continue }
        headers[name] = value
      }
      return HTTPResponse(status: .init(code: status), headerFields: headers)
    }
  }
#endif
