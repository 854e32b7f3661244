#if HTTP
  import NIOCore
  import NIOHTTP1
  import NIOHTTP2
  import NIOPosix
  import NIOSSL
  import Synchronization
  import TestSupport

  /// A server that speaks only HTTP/2 over TLS, as APNs does, and sends scripted responses.
  final class HTTP2Server: Sendable {
    /// A response.
    struct Answer: Sendable {
      let status: Int
      let body: String

      init(_ status: Int, _ body: String = "") { (self.status, self.body) = (status, body) }
    }

    /// Returns the response to a request with a number, starting at 0, or nil to reset the stream.
    typealias Script = @Sendable (_ number: Int) -> Answer?

    private let channel: any Channel
    private let recorder: Recorder

    private init(_ channel: any Channel, _ recorder: Recorder) {
      (self.channel, self.recorder) = (channel, recorder)
    }

    /// Starts a server with the certificate `server`.
    static func start(_ certificates: Certificates, _ script: @escaping Script) async throws
      -> HTTP2Server
    {
      let chain = try NIOSSLCertificate.fromPEMFile(certificates.path("server.crt"))
      let key = try NIOSSLPrivateKey(file: certificates.path("server.key"), format: .pem)
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      tls.applicationProtocols = ["h2"]
      let context = try NIOSSLContext(configuration: tls)
      let recorder = Recorder(script)
      let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        .childChannelInitializer { channel in
          recorder.countConnection()
          return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: context))
            _ = try pipeline.configureHTTP2Pipeline(
              mode: .server, connectionConfiguration: .init(), streamConfiguration: .init()
            ) { stream in
              stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ServerCodec())
                try pipeline.addHandler(Responder(recorder))
              }
            }
          }
        }
        .bind(host: "127.0.0.1", port: 0).get()
      return HTTP2Server(channel, recorder)
    }

    /// The base URL, without a slash at the end.
    var address: String { "https://\(Certificates.host):\(channel.localAddress?.port ?? 0)" }

    /// The paths of the requests so far.
    var paths: [String] { recorder.paths }

    /// The number of connections so far.
    var connections: Int { recorder.connections }

    /// Stops listening.
    func close() async throws { try await channel.close().get() }
  }

  /// The requests of a server, and the script of its responses.
  private final class Recorder: Sendable {
    private let script: HTTP2Server.Script
    private let state = Mutex((paths: [String](), connections: 0))

    init(_ script: @escaping HTTP2Server.Script) { self.script = script }

    var paths: [String] { state.withLock { $0.paths } }
    var connections: Int { state.withLock { $0.connections } }

    func countConnection() { state.withLock { $0.connections += 1 } }

    /// Stores a request, and returns the response.
    func answer(_ path: String) -> HTTP2Server.Answer? {
      let number = state.withLock { state in
        state.paths.append(path)
        return state.paths.count - 1
      }
      return script(number)
    }
  }

  /// A channel handler of a stream, which responds to the request of the stream.
  private final class Responder: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let recorder: Recorder
    private var path = ""

    init(_ recorder: Recorder) { self.recorder = recorder }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      switch unwrapInboundIn(data) {
      case .head(let head): path = head.uri
      case .body: break
      case .end: respond(context)
      }
    }

    private func respond(_ context: ChannelHandlerContext) {
      guard let answer = recorder.answer(path) else { return context.close(promise: nil) }
      var head = HTTPResponseHead(
        version: .http2, status: HTTPResponseStatus(statusCode: answer.status))
      head.headers.add(name: "apns-id", value: "00000000-0000-4000-8000-000000000001")
      head.headers.add(name: "retry-after", value: "7")
      context.write(wrapOutboundOut(.head(head)), promise: nil)
      let body = ByteBuffer(string: answer.body)
      context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
      context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
  }
#endif
