#if HTTP
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// Ends a connection behind its first request, and in any case after a time.
  ///
  /// A client that sends a body forever, or nothing, or asks and never reads, would else keep one of the connections
  /// that there are; those of a probe and a scrape come and go anyway. One that listens to events may do so for longer,
  /// for as long as it takes them: then it comes again, and shows again who it is.
  final class OneRequest: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Events are told for so long, and so long nobody waits for a client to take them.
    static let longestListening = TimeAmount.minutes(10)
    static let longestStall = TimeAmount.seconds(20)

    private let limit: TimeAmount
    private var ending: Scheduled<Void>?
    private var stalling: Scheduled<Void>?

    init(within limit: TimeAmount) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) { ending = closing(context, in: limit) }

    func handlerRemoved(context: ChannelHandlerContext) {
      ending?.cancel()
      stalling?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data) else {
        return context.fireChannelRead(data)
      }
      // This is how the channel's owner is told that no other comes behind it.
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
