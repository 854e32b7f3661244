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
    ///
    /// The maximum is higher than ``OpenStreams/most``, so streams cannot use all connections.
    static let mostConnections = 12_288

    private let listener: HTTPListener
    private let endStreams: @Sendable () -> Void
    private let close: @Sendable () async -> Void
    package var address: HTTPAddress { listener.address }

    /// Starts the server of a product.
    ///
    /// When the method returns, the server accepts requests.
    ///
    /// - Parameters:
    ///   - front: a closure that can respond to a request before the API does, or nil.
    ///   - metrics: the only `APIMetrics` value of the process.
    /// - Throws: `Complaint` if the address cannot be used.
    package static func start(
      _ product: some APIProduct, _ settings: APISettings, front: APIFront? = nil,
      metrics: APIMetrics = APIMetrics()
    ) async throws -> APIServer {
      product.logins.logFailures()
      let handler = APIHandler(
        product, verifier: settings.verifier, limits: settings.limits, metrics: metrics,
        metricsToken: settings.metricsToken, front: front, logger: settings.logger)
      return try await start(
        handler, at: settings.address, through: settings.proxies,
        connectionsOfAddress: settings.limits.connectionsOfAddress, heartbeat: settings.heartbeat,
        logger: settings.logger)
    }

    /// Starts the server.
    ///
    /// When the method returns, the server accepts requests.
    ///
    /// - Parameters:
    ///   - proxies: the proxies that are trusted to report a request's client.
    ///   - most: the maximum number of open connections per address.
    ///   - heartbeat: how long a stream can be without events before the server sends a comment.
    /// - Throws: `Complaint` if the address cannot be used.
    package static func start<Product>(
      _ handler: APIHandler<Product>, at address: HTTPAddress, through proxies: TrustedProxies,
      connectionsOfAddress most: Int, heartbeat: Duration, logger: Logger
    ) async throws -> APIServer {
      let limit = ConnectionLimit(most, except: proxies)
      let listener = try await HTTPListener.start(
        at: address, connections: mostConnections, channel(handler, proxies, limit, heartbeat),
        logger: logger)
      return APIServer(listener: listener, endStreams: { handler.endStreams() }) {
        await handler.close()
      }
    }

    /// Ends all streams, stops accepting connections, and waits until open requests have ended.
    ///
    /// The database cancels each statement after five seconds. A connection whose request has not
    /// ended after six seconds is closed, and the client repeats the request.
    package func stop() async {
      endStreams()
      await listener.stop(within: .seconds(6))
      await close()
    }

    private static func channel<Product>(
      _ handler: APIHandler<Product>, _ proxies: TrustedProxies, _ limit: ConnectionLimit,
      _ heartbeat: Duration
    ) -> HTTP1Channel {
      HTTP1Channel(
        responder: { request, writer, channel in
          let peer = channel.remoteAddress?.ipAddress ?? TrustedProxies.socket
          let read = try await APIRequest(reading: request, from: peer, through: proxies)
          let reply = await handler.reply(to: read).compressed(for: read)
          defer { reply.stream?.close() }
          let hasBody = read.method != "HEAD"
          // The connection is closed after a stream, and after a request whose body was not read.
          let closes = read.isBodyTooLong || reply.stream != nil
          try await writer.write(
            response: reply.head(closes: closes, hasBody: hasBody),
            body: hasBody ? reply.content(on: channel) : ResponseBody())
          if closes { throw LastResponse() }
        },
        configuration: .init(
          additionalChannelHandlers: [
            CountedConnection(limit), RequestTime(heartbeat: heartbeat), ContinueResponse(),
          ],
          idleTimeout: .seconds(60),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 64)))
    }

    /// The error that closes a connection after its last response.
    private struct LastResponse: Error {}
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
      host = head.authority
      query = FormText.pairs(target.dropFirst(path.count + 1))
      for field in head.headerFields {
        headers[field.name.canonicalName, default: []].append(field.value)
      }
      address = proxies.client(of: peer, forwarded: headers["x-forwarded-for"] ?? [])
      // A client that is waiting for status 100 has not sent the body yet, so it is not read.
      if head.expectsContinue, head.isTooLong {
        isBodyTooLong = true
        return
      }
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
    /// The headers of every response.
    ///
    /// A shared cache must not store the content, because it depends on the user.
    private static let always = [
      ("cache-control", "no-store"), ("x-content-type-options", "nosniff"),
      ("vary", "Authorization, Accept-Encoding"),
    ]

    /// Returns the body of the response.
    fileprivate func content(on channel: any Channel) -> ResponseBody {
      if let stream { return stream.body(on: channel) }
      if let body { return ResponseBody(byteBuffer: ByteBuffer(bytes: body)) }
      guard let pieces else { return ResponseBody() }
      return ResponseBody { writer in
        for try await piece in pieces { try await writer.write(ByteBuffer(bytes: piece)) }
        try await writer.finish(nil)
      }
    }

    /// Returns the head of the response.
    fileprivate func head(closes: Bool, hasBody: Bool) -> HTTPResponse {
      var fields = Dictionary(Self.always) { first, _ in first }
      if let version {
        fields["etag"] = version
        fields["cache-control"] = "private, no-cache"
      }
      if let body {
        fields["content-type"] = type
        fields["content-length"] = "\(body.count)"
      } else if stream != nil, hasBody {
        fields["content-type"] = type
        // Without this header, the nginx proxy would collect events before sending them to the
        // client.
        fields["x-accel-buffering"] = "no"
      } else if pieces != nil, hasBody {
        // Without a `Content-Length` header, the server sends the body in chunks.
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
