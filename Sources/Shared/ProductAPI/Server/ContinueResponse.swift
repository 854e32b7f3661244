#if HTTP
  import HTTPTypes
  import NIOCore
  import NIOHTTPTypes

  /// A channel handler that responds to `Expect: 100-continue` before the body arrives.
  ///
  /// A request whose body is too long does not get status 100, because the server rejects it. If
  /// responses to earlier requests are unfinished, status 100 is sent after them.
  final class ContinueResponse: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The number of requests without a complete response.
    private var unanswered = 0
    /// Whether the last request's client is waiting for a response before sending the body.
    private var isAwaited = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      if case .head(let head) = unwrapInboundIn(data) {
        unanswered += 1
        isAwaited = head.expectsContinue && !head.isTooLong
        respond(context)
      }
      context.fireChannelRead(data)
    }

    func write(
      context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?
    ) {
      context.write(data, promise: promise)
      guard case .end = unwrapOutboundIn(data) else { return }
      unanswered -= 1
      respond(context)
    }

    /// Sends status 100 if the client is waiting and all earlier responses are complete.
    private func respond(_ context: ChannelHandlerContext) {
      guard isAwaited, unanswered == 1 else { return }
      isAwaited = false
      context.writeAndFlush(wrapOutboundOut(.head(HTTPResponse(status: .continue))), promise: nil)
    }
  }

  extension HTTPRequest {
    /// Whether the client waits for a response with status 100 before it sends the body.
    var expectsContinue: Bool { headerFields[.expect]?.lowercased() == "100-continue" }

    /// Whether the declared length of the body exceeds ``APIRequest/longestBody``.
    var isTooLong: Bool {
      (headerFields[.contentLength].map { Int($0) ?? .max } ?? 0) > APIRequest.longestBody
    }
  }
#endif
