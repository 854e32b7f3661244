#if HTTP
  import Baton
  import NIOCore
  import NIOHTTPTypes
  import Synchronization

  /// Limits the number of open connections from each address, so that one client cannot occupy all
  /// of the server's connections.
  ///
  /// A trusted proxy or a Unix socket can serve many clients, so its connections have no limit.
  final class ConnectionLimit: Sendable {
    private let most: Int
    private let proxies: TrustedProxies
    private let open = Mutex<[RequestLimiter.Client: Int]>([:])

    init(_ most: Int, except proxies: TrustedProxies) {
      (self.most, self.proxies) = (most, proxies)
    }

    /// Returns a connection's client, or nil if the connection has no limit.
    func client(at address: String?) -> RequestLimiter.Client? {
      guard let address, !proxies.isTrusted(address) else { return nil }
      return .at(address)
    }

    /// Counts a connection, or returns false if the client has too many connections.
    func begin(_ client: RequestLimiter.Client) -> Bool {
      open.withLock { open in
        let count = open[client] ?? 0
        guard count < most else { return false }
        open[client] = count + 1
        return true
      }
    }

    /// Stops counting a connection that has ended.
    func end(_ client: RequestLimiter.Client) {
      open.withLock { open in
        let count = open[client] ?? 0
        open[client] = count > 1 ? count - 1 : nil
      }
    }
  }

  /// A channel handler that closes a new connection if its client has too many connections.
  final class CountedConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart

    private let limit: ConnectionLimit
    /// The client for which the connection was counted.
    private var client: RequestLimiter.Client?

    init(_ limit: ConnectionLimit) { self.limit = limit }

    func handlerAdded(context: ChannelHandlerContext) {
      if context.channel.isActive { count(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
      context.fireChannelActive()
      count(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
      if let client { limit.end(client) }
      client = nil
    }

    private func count(_ context: ChannelHandlerContext) {
      guard client == nil,
        let new = limit.client(at: context.channel.remoteAddress?.ipAddress)
      else { return }
      guard limit.begin(new) else { return context.close(promise: nil) }
      client = new
    }
  }
#endif
