#if HTTP
  import Baton
  import Foundation
  import HTTPTypes
  import HummingbirdCore
  import Logging
  import NIOCore
  import NIOHTTPTypes
  import NIOPosix

  /// The socket and those who ask; one request a connection.
  struct HTTPServer: RunningHTTPServer {
    /// From its first byte to its last a connection lasts no longer, whatever the client does or does not.
    static let longestConnection = TimeAmount.seconds(10)
    /// More wait until one of these ends.
    static let mostConnections = 64

    let address: HTTPAddress
    private let server: Server<HTTP1Channel>
    private let serving: Task<Void, any Error>
    private let handlers: RequestHandlers

    /// Answers from when it returns.
    ///
    /// - Throws: `Complaint` where the address cannot be had.
    static func start(
      at address: HTTPAddress, _ handlers: RequestHandlers, logger: Logger
    ) async throws -> HTTPServer {
      try SocketFile.clear(address)
      var quiet = logger
      // What a client does wrong is no error of ours.
      quiet.logLevel = max(logger.logLevel, .error)
      let (bound, binding) = AsyncStream<HTTPAddress>.makeStream()
      let server = Server(
        childChannelSetup: channel(handlers),
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

    /// Those that came are given a second to be answered: whoever asks and never reads shall hold no process.
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

    private static func channel(_ handlers: RequestHandlers) -> HTTP1Channel {
      HTTP1Channel(
        responder: { request, writer, _ in
          let request = try await Request(reading: request)
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
          additionalChannelHandlers: [OneRequest(within: longestConnection)],
          idleTimeout: .seconds(5),
          httpDecoderConfiguration: .init(
            maxHeaderFieldSize: 8_192, maxHeaderListSize: 16_384, maxHeaderFieldCount: 64)))
    }
  }

  extension HTTPServer {
    /// Ends when the events do, or the client has gone: a write fails then.
    private static func body(of events: AsyncStream<String>) -> ResponseBody {
      ResponseBody { writer in
        for await event in events { try await writer.write(ByteBuffer(string: event)) }
        try await writer.finish(nil)
      }
    }
  }

  extension Result {
    /// What the system said.
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

    /// With the port that the system gave.
    fileprivate func bound(to real: SocketAddress?) -> HTTPAddress {
      guard case .port(_, let host) = self, let port = real?.port else { return self }
      return .port(port, host: host)
    }
  }
#endif
