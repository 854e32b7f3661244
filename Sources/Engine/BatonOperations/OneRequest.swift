#if HTTP
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// A channel handler that closes a connection after its first request, or after a time limit.
  ///
  /// The time limit frees a connection from a client that sends an endless body, sends nothing, or
  /// never reads the response. The time limit for an event stream is ``longestListening``. After an
  /// event stream's time limit, the client must connect and authenticate again.
  final class OneRequest: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The maximum duration of an event stream.
    static let longestListening = TimeAmount.minutes(10)
    /// The maximum time that a client may stop reading its response.
    static let longestStall = TimeAmount.seconds(20)

    private let limit: TimeAmount
    private let connections: OpenConnections
    private var number: Int?
    private var ending: Scheduled<Void>?
    private var stalling: Scheduled<Void>?

    init(within limit: TimeAmount, among connections: OpenConnections) {
      self.limit = limit
      self.connections = connections
    }

    func handlerAdded(context: ChannelHandlerContext) {
      ending = closing(context, in: limit)
      number = connections.open(context.channel)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      number.map(connections.end)
      ending?.cancel()
      stalling?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data) else {
        return context.fireChannelRead(data)
      }
      let isCounted = head.path?.hasPrefix("/health/") != true
      number.map { connections.begin($0, isCounted: isCounted) }
      // The header announces that the connection does not accept further requests.
      head.headerFields[.connection] = "close"
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      if case .head(let head) = unwrapOutboundIn(data),
        head.headerFields[.contentType] == Response.eventType
      {
        ending?.cancel()
        ending = closing(context, in: Self.longestListening)
        number.map(connections.end)
      }
      context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
      stalling?.cancel()
      stalling = context.channel.isWritable ? nil : closing(context, in: Self.longestStall)
      context.fireChannelWritabilityChanged()
    }

    private func closing(_ context: ChannelHandlerContext, in time: TimeAmount) -> Scheduled<Void> {
      context.eventLoop.assumeIsolated().scheduleTask(in: time) { [channel = context.channel] in
        channel.close(promise: nil)
      }
    }
  }
#endif
