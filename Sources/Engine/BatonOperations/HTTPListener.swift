#if HTTP
  package import Baton
  package import HummingbirdCore
  package import Logging
  import NIOCore
  import NIOPosix

  /// A running HTTP server that listens on one address.
  ///
  /// For each connection, the caller creates a channel, which responds to the requests.
  package struct HTTPListener: Sendable {
    /// The address on which the server listens, with the actual port.
    ///
    /// The system may have chosen the port.
    package let address: HTTPAddress
    /// The maximum number of connections that the operating system queues until they are accepted.
    ///
    /// After a restart, thousands of clients connect at the same time. If the queue is full, the
    /// operating system drops connection attempts, and clients repeat them after up to 32 seconds.
    /// On Linux, the `net.core.somaxconn` setting also limits the number of queued connections.
    private static let longestQueue = 4_096
    private let server: Server<HTTP1Channel>
    private let serving: Task<Void, any Error>

    /// Starts the server.
    ///
    /// When the method returns, the server accepts requests.
    ///
    /// - Parameters:
    ///   - connections: the maximum number of open connections. If the maximum is reached, new
    ///     connections wait.
    ///   - channel: the object that handles each connection and responds to its requests.
    /// - Throws: `Complaint` if the address cannot be used.
    package static func start(
      at address: HTTPAddress, connections: Int, _ channel: HTTP1Channel, logger: Logger
    ) async throws -> HTTPListener {
      try SocketFile.clear(address)
      let place = SocketFile.temporary(for: address)
      var quiet = logger
      // Errors that clients cause are not logged, because they are not bugs in this program.
      quiet.logLevel = max(logger.logLevel, .error)
      let (bound, binding) = AsyncStream<HTTPAddress>.makeStream()
      let server = Server(
        childChannelSetup: channel,
        configuration: ServerConfiguration(
          address: place.binding, backlog: longestQueue,
          availableConnectionsDelegate: .maximum(connections, logger: quiet)),
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
      do {
        try SocketFile.publish(place, as: address)
      } catch {
        serving.cancel()
        throw error
      }
      return HTTPListener(address: real, server: server, serving: serving)
    }

    /// Stops accepting connections, waits for open requests, and closes all connections after a
    /// time limit.
    package func stop(within limit: Duration) async {
      // The socket file is removed while this server still listens. As soon as the server does not
      // listen, the next process can use the path, and the file would be the next process's file.
      SocketFile.remove(address)
      let quiet = Task<Void, Never> {
        try? await server.shutdownGracefully()
        _ = await serving.result
      }
      if await quiet.value(within: limit) == nil { serving.cancel() }
    }
  }

  extension Result {
    /// The operating system's error code, or nil if the error is not a system error.
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
