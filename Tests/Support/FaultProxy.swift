import Foundation
import Synchronization

/// A TCP proxy that simulates network faults, in front of a server on the loopback interface.
///
/// The proxy can reset a connection in the middle of a message, drop a response, or become silent.
/// The kernel of a silent proxy still acknowledges packets, so the client does not notice the
/// fault. With `losePackets`, the kernel also drops the packets.
package final class FaultProxy: Sendable {
  /// A fault that occurs once, on one connection.
  package enum Fault: Sendable {
    /// The first client message with the given text is dropped, together with all later bytes of
    /// the connection.
    ///
    /// The connection stays open for both sides.
    case silence(at: String)
    /// The first client message with the given text is forwarded.
    ///
    /// When the server responds, the response is dropped, and the client's connection is reset.
    case loseAnswer(to: String)
  }

  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: Listener
  private let server: Int
  private let state = Mutex(State())

  private struct State {
    var connections: [ProxiedConnection] = []
    var armed: [Fault] = []
    var fired = 0
    var budget: (@Sendable () -> Int)?
    var cuts = 0
    var tries: [ContinuousClock.Instant] = []
    var counter: MessageCounter?
  }

  /// Creates a proxy in front of a server's port on the loopback interface.
  ///
  /// - Throws: `TestFailure` if listening on a port or a socket fails.
  package init(before server: Int) throws {
    self.server = server
    port = try Listener.unusedPort()
    listener = try Listener(port: port)
    Thread.detachNewThread { [self] in
      while let client = listener.accept() { accept(client) }
    }
  }

  /// The address in the form of `DATABASE_URL`.
  package var address: String { LoopbackLogin.address(port: port) }

  /// Returns the address of a test's database, in the form of `DATABASE_URL`.
  package func address(of test: TestSchema) -> String {
    LoopbackLogin.address(port: port, database: test.configuration.database)
  }

  /// Counts the messages of all later connections with one counter.
  package func count(with counter: MessageCounter) {
    state.withLock { $0.counter = counter }
  }

  /// Arms a fault for the first connection with a matching message.
  package func arm(_ fault: Fault) { state.withLock { $0.armed.append(fault) } }

  /// The number of armed faults that have occurred.
  package var fired: Int { state.withLock { $0.fired } }

  /// Resets every later connection after a number of bytes in either direction, which `budget`
  /// returns.
  ///
  /// If `budget` is nil, no connection is reset.
  package func cutEach(after budget: (@Sendable () -> Int)?) {
    state.withLock { $0.budget = budget }
  }

  /// The number of connections that were reset because of the number of bytes.
  package var cuts: Int { state.withLock { $0.cuts } }

  /// The instants at which clients connected, even if the server could not be reached.
  package var tries: [ContinuousClock.Instant] { state.withLock { $0.tries } }

  /// The number of open connections, including silent connections.
  package var open: Int { living.count }

  /// Resets every open connection.
  package func cutAll() { for connection in living { connection.cut() } }

  /// Drops every packet of the open connections in the kernel, in both directions.
  ///
  /// - Returns: false if the operating system does not permit packet filters.
  package func losePackets() -> Bool { living.allSatisfy { $0.losePackets() } }

  /// Whether the operating system supports ``losePackets()``.
  package static let canLosePackets = {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(descriptor) }
    return ProxiedConnection.dropEverything(descriptor)
  }()

  /// Stops listening and resets all open connections.
  package func close() {
    listener.close()
    cutAll()
  }

  private var living: [ProxiedConnection] {
    state.withLock { state in
      state.connections.removeAll { $0.isOver }
      return state.connections
    }
  }

  private func accept(_ client: Int32) {
    state.withLock { $0.tries.append(.now) }
    guard let upstream = connectToLoopback(server) else {
      Glibc.close(client)
      return
    }
    let (budget, counter) = state.withLock { ($0.budget, $0.counter) }
    let connection = ProxiedConnection(
      client: client, server: upstream, budget: budget.map { $0() }, counter: counter)
    state.withLock { $0.connections.append(connection) }
    Thread.detachNewThread { [self] in
      let end = connection.run { self.fault(for: $0) }
      if end == .outOfBytes { state.withLock { $0.cuts += 1 } }
    }
  }

  /// Removes and returns the armed fault that matches a client's message, or returns nil.
  private func fault(for message: [UInt8]) -> Fault? {
    state.withLock { state in
      guard !state.armed.isEmpty else { return nil }
      let text = String(decoding: message, as: UTF8.self)
      let index = state.armed.firstIndex { fault in
        switch fault {
        case .silence(let part), .loseAnswer(let part): text.contains(part)
        }
      }
      guard let index else { return nil }
      state.fired += 1
      return state.armed.remove(at: index)
    }
  }
}

/// Connects to a port of this machine, or returns nil if no process listens on the port.
func connectToLoopback(_ port: Int) -> Int32? {
  let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_in(loopback: port)
  let status = withUnsafeMutableBytes(of: &address) { bytes in
    bytes.withMemoryRebound(to: sockaddr.self) {
      Glibc.connect(descriptor, $0.baseAddress, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  guard status == 0 else {
    close(descriptor)
    return nil
  }
  return descriptor
}
