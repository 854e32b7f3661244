#if HTTP
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// A channel handler that closes a connection if a request, or the pause before a request, takes
  /// too long.
  ///
  /// Without time limits, clients that send their requests slowly, or never read the responses,
  /// could occupy all connections.
  final class RequestTime: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The maximum time from the opening of the connection, or from the last response, to the next
    /// complete request head.
    private static let longestPause = TimeAmount.seconds(60)
    /// The maximum time from the head of a request to the end of its response, or to the next piece
    /// of the response's body.
    private static let longestRequest = TimeAmount.seconds(20)

    private var closing: Scheduled<Void>?

    func handlerAdded(context: ChannelHandlerContext) { close(context, in: Self.longestPause) }

    func handlerRemoved(context: ChannelHandlerContext) { closing?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data) else {
        return context.fireChannelRead(data)
      }
      close(context, in: Self.longestRequest)
      // The rest of a body that is too long is not read, so no other request can follow.
      let length = head.headerFields[.contentLength].map { Int($0) ?? .max } ?? 0
      if length > APIRequest.longestBody { head.headerFields[.connection] = "close" }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      switch unwrapOutboundIn(data) {
      case .head: break
      // A client that reads a long body gets the time again for each piece.
      case .body: close(context, in: Self.longestRequest)
      case .end: close(context, in: Self.longestPause)
      }
      context.write(data, promise: promise)
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
      closing?.cancel()
      closing = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
        [channel = context.channel] in channel.close(promise: nil)
      }
    }
  }
#endif
