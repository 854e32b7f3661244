#if HTTP
  import Baton
  import Foundation
  import HTTPTypes
  import HummingbirdCore
  import Logging
  import NIOCore
  import NIOHTTPTypes

  /// An HTTP server with one request per connection.
  struct HTTPServer: RunningHTTPServer {
    /// The maximum duration of a connection, regardless of the client's behaviour.
    static let longestConnection = TimeAmount.seconds(10)
    /// The maximum number of open connections.
    ///
    /// If the maximum is reached, new connections have to wait.
    ///
    /// ``OpenConnections`` closes the oldest connections before the maximum is reached.
    static let mostConnections = 512

    private let listener: HTTPListener
    private let handlers: RequestHandlers
    var address: HTTPAddress { listener.address }

    /// Starts the server.
    ///
    /// When the method returns, the server accepts requests.
    ///
    /// - Throws: `Complaint` if the address cannot be used.
    static func start(
      _ settings: HTTPSettings, _ handlers: RequestHandlers, logger: Logger
    ) async throws -> HTTPServer {
      let listener = try await HTTPListener.start(
        at: settings.address, connections: mostConnections,
        channel(handlers, settings.proxies), logger: logger)
      return HTTPServer(listener: listener, handlers: handlers)
    }

    /// Stops the server within about one second.
    ///
    /// Open requests get one second, because a client that never reads its response must not keep
    /// the process alive.
    func stop() async {
      handlers.stop()
      await listener.stop(within: .seconds(1))
      await handlers.close()
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
#endif
