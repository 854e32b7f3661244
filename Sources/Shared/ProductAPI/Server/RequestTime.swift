#if HTTP
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// A channel handler that closes a connection if a request, or the pause before a request, takes
  /// too long.
  ///
  /// Without time limits, clients that send their requests slowly, or never read the responses,
  /// could occupy all connections.
  ///
  /// An event stream has no time limit while its client is reading the events. If a stream has no
  /// event for some time, the handler sends a comment, which shows that it is open. If a client
  /// does not read, or closes its half of the connection, the handler closes the connection.
  final class RequestTime: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The maximum time that an open connection waits for the complete head of the next request.
    private static let longestPause = TimeAmount.seconds(60)
    /// The maximum time from a request's head to the end of the response.
    ///
    /// The time restarts with each piece of the response's body.
    private static let longestRequest = TimeAmount.seconds(20)
    /// The maximum time that a stream's client reads nothing while events are waiting to be sent.
    private static let longestWrite = TimeAmount.seconds(30)
    /// The comment that is sent as a heartbeat on a stream.
    private static let comment = ByteBuffer(string: ":\n\n")

    private let heartbeat: TimeAmount
    private var closing: Scheduled<Void>?
    /// The next heartbeat of a stream, or nil if the response is not a stream.
    private var beat: Scheduled<Void>?
    private var isStream = false
    /// The number of stream parts that the operating system has not accepted yet.
    private var unwritten = 0

    /// Creates the handler for a connection.
    ///
    /// - Parameter heartbeat: how long a stream can be without events before the handler sends a
    ///   comment.
    init(heartbeat: Duration) {
      self.heartbeat = .nanoseconds(Int64(heartbeat / .nanoseconds(1)))
    }

    func handlerAdded(context: ChannelHandlerContext) { close(context, in: Self.longestPause) }

    func handlerRemoved(context: ChannelHandlerContext) {
      closing?.cancel()
      beat?.cancel()
    }

    func channelInactive(context: ChannelHandlerContext) {
      beat?.cancel()
      context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      guard case .head(var head) = unwrapInboundIn(data) else {
        return context.fireChannelRead(data)
      }
      close(context, in: Self.longestRequest)
      // If a body is too long, the rest of it is not read, so the connection cannot be used for
      // another request.
      if head.isTooLong { head.headerFields[.connection] = "close" }
      context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
      // A client that exits usually closes its half of the connection first.
      if isStream, event as? ChannelEvent == .inputClosed { return context.close(promise: nil) }
      context.fireUserInboundEventTriggered(event)
    }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      switch unwrapOutboundIn(data) {
      case .head(let head):
        isStream = head.headerFields[.contentType] == "text/event-stream"
        if isStream { begin(context) }
      case .body where isStream:
        scheduleBeat(context)
        return context.write(data, promise: watched(promise, context))
      // While a client is reading a long body, the time limit restarts with each piece of the body.
      case .body: close(context, in: Self.longestRequest)
      case .end:
        isStream = false
        beat?.cancel()
        close(context, in: Self.longestPause)
      }
      context.write(data, promise: promise)
    }

    // MARK: Streams

    private func begin(_ context: ChannelHandlerContext) {
      closing?.cancel()
      closing = nil
      scheduleBeat(context)
    }

    private func scheduleBeat(_ context: ChannelHandlerContext) {
      beat?.cancel()
      beat = context.eventLoop.assumeIsolated().scheduleTask(in: heartbeat) { [self] in
        guard isStream else { return }
        scheduleBeat(context)
        // While earlier parts of the stream are waiting for a slow client, no heartbeat comment is
        // sent.
        guard unwritten == 0 else { return }
        let promise = watched(nil, context)
        context.writeAndFlush(wrapOutboundOut(.body(Self.comment)), promise: promise)
      }
    }

    /// Returns a promise that limits the time until the operating system accepts a part of a
    /// stream.
    private func watched(
      _ promise: EventLoopPromise<Void>?, _ context: ChannelHandlerContext
    ) -> EventLoopPromise<Void> {
      let promise = promise ?? context.eventLoop.makePromise()
      unwritten += 1
      if closing == nil { close(context, in: Self.longestWrite) }
      promise.futureResult.assumeIsolated().whenComplete { [self] _ in
        unwritten -= 1
        guard isStream else { return }
        closing?.cancel()
        closing = nil
        if unwritten > 0 { close(context, in: Self.longestWrite) }
      }
      return promise
    }

    private func close(_ context: ChannelHandlerContext, in time: TimeAmount) {
      closing?.cancel()
      closing = context.eventLoop.assumeIsolated().scheduleTask(in: time) {
        [channel = context.channel] in channel.close(promise: nil)
      }
    }
  }
#endif
