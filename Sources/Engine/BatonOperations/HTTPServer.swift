#if HTTP
  import Baton
  import Foundation
  import HTTPTypes
  import HummingbirdCore
  import Logging
  import NIOCore
  import NIOHTTPTypes
  import NIOPosix

  /// An HTTP server with one request per connection.
  struct HTTPServer: RunningHTTPServer {
    /// The maximum duration of a connection, independent of the client's behaviour.
    static let longestConnection = TimeAmount.seconds(10)
    /// The maximum number of open connections.
    ///
    /// If this number of connections is open, new connections have to wait.
    ///
    /// ``OpenConnections`` closes the oldest connections before this number is reached.
    static let mostConnections = 512

    let address: HTTPAddress
    private let server: Server<HTTP1Channel>
    private let serving: Task<Void, any Error>
    private let handlers: RequestHandlers

    /// Starts the server.
    ///
    /// When the method returns, the server accepts requests.
    ///
    /// - Throws: `Complaint` if the address cannot be used.
    static func start(
      _ settings: HTTPSettings, _ handlers: RequestHandlers, logger: Logger
    ) async throws -> HTTPServer {
      let address = settings.address
      try SocketFile.clear(address)
      var quiet = logger
      // Errors of clients are not logged, because they are not errors of this program.
      quiet.logLevel = max(logger.logLevel, .error)
      let (bound, binding) = AsyncStream<HTTPAddress>.makeStream()
      let server = Server(
        childChannelSetup: channel(handlers, settings.proxies),
        configuration: ServerConfiguration(
          address: address.binding,
          availableConnectionsDelegate: .maximum(mostConnections, logger: quiet)),
        onServerRunning: { channel in
          binding.yield(address.bound(to: channel.localAddress))
        },
        eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: quiet)
      let mask = SocketFile.restrict(address)
      let serving = Task {
        defer { binding.finish() }
        try await server.run()
      }
      var real: HTTPAddress?
      for await place in bound {
        real = place
        break
      }
      SocketFile.relax(mask)
      guard let real else {
        throw Complaint(cannotListen: await serving.result.systemError, at: address)
      }
      return HTTPServer(address: real, server: server, serving: serving, handlers: handlers)
    }

    /// Stops the server within about one second.
    ///
    /// Open requests get one second, because a client that never reads its response must not keep
    /// the process alive.
    func stop() async {
      handlers.stop()
      let quiet = Task<Void, Never> {
        try? await server.shutdownGracefully()
        _ = await serving.result
      }
      if await quiet.value(within: .seconds(1)) == nil { serving.cancel() }
      await handlers.close()
      SocketFile.remove(address)
    }

    private static func channel(
      _ handlers: RequestHandlers, _ proxies: TrustedProxies
    ) -> HTTP1Channel {
      let connections = OpenConnections()
      return HTTP1Channel(
        responder: { request, writer, channel in
          let peer = channel.remoteAddress?.ipAddress ?? TrustedProxies.socket
          let request = try await Request(reading: request, from: peer, through: proxies)
          switch await handlers.reply(to: request) {
          case .response(let response):
            let isHead = request.method == "HEAD"
            try await writer.write(
              response: response.head,
              body: isHead
                ? ResponseBody() : ResponseBody(byteBuffer: ByteBuffer(string: response.body)))
          case .events(let events):
            try await writer.write(response: Response.events.head, body: body(of: events))
          }
        },
        configuration: .init(
          additionalChannelHandlers: [
            OneRequest(within: longestConnection, among: connections)
          ],
          idleTimeout: .seconds(5),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 8_192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64)))
    }
  }

  extension HTTPServer {
    /// Returns the body of an event stream, which ends when the events end or when the client
    /// disconnects.
    private static func body(of events: AsyncStream<String>) -> ResponseBody {
      ResponseBody { writer in
        for await event in events { try await writer.write(ByteBuffer(string: event)) }
        try await writer.finish(nil)
      }
    }
  }

  extension Result {
    /// The error code of the operating system, or nil if the error is not a system error.
    fileprivate var systemError: Int32? {
      guard case .failure(let error) = self else { return nil }
      return (error as? IOError)?.errnoCode
    }
  }

  extension HTTPAddress {
    fileprivate var binding: BindAddress {
      switch self {
      case .port(let port, let host): .hostname(host, port: port)
      case .socket(let path): .unixDomainSocket(path: path)
      }
    }

    /// Returns the address with the port that the operating system chose.
    fileprivate func bound(to real: SocketAddress?) -> HTTPAddress {
      guard case .port(_, let host) = self, let port = real?.port else { return self }
      return .port(port, host: host)
    }
  }
#endif
