import Foundation
import Synchronization

/// A TCP proxy before a server on loopback that does what networks do.
///
/// What it can show honestly: connections that are reset in the middle of a message, answers that
/// never arrive, and peers that fall silent. A silent proxy still acknowledges what it is sent, as
/// the kernel does that, so a client notices nothing; `losePackets` lets the kernel drop even that.
package final class FaultProxy: Sendable {
  /// Something that happens to one connection, once.
  package enum Fault: Sendable {
    /// The first message of a client with this text, and all bytes of that connection after it,
    /// vanish; both sides see an open connection.
    case silence(at: String)
    /// The first message of a client with this text arrives; its answer is thrown away as soon as
    /// the server has given it, and the client's connection is reset.
    case loseAnswer(to: String)
  }

  /// Where it listens on 127.0.0.1.
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

  /// A proxy before the port of a server on loopback.
  ///
  /// - Throws: `TestFailure` where it cannot listen.
  package init(before server: Int) throws {
    self.server = server
    port = try Listener.unusedPort()
    listener = try Listener(port: port)
    Thread.detachNewThread { [self] in
      while let client = listener.accept() { accept(client) }
    }
  }

  /// What `DATABASE_URL` would be.
  package var address: String { LoopbackLogin.address(port: port) }

  /// What `DATABASE_URL` would be for the database of a test.
  package func address(of test: TestSchema) -> String {
    LoopbackLogin.address(port: port, database: test.configuration.database)
  }

  /// Counts what is said on later connections, all of them together.
  package func count(with counter: MessageCounter) {
    state.withLock { $0.counter = counter }
  }

  /// Lets a fault happen to the first connection that gives occasion.
  package func arm(_ fault: Fault) { state.withLock { $0.armed.append(fault) } }

  /// How many armed faults have happened.
  package var fired: Int { state.withLock { $0.fired } }

  /// Resets every later connection after as many bytes of either direction as `budget` says; nil
  /// lets them live.
  package func cutEach(after budget: (@Sendable () -> Int)?) {
    state.withLock { $0.budget = budget }
  }

  /// How many connections ran out of bytes.
  package var cuts: Int { state.withLock { $0.cuts } }

  /// When clients connected, whether the server could be reached or not.
  package var tries: [ContinuousClock.Instant] { state.withLock { $0.tries } }

  /// How many connections are open or silent.
  package var open: Int { living.count }

  /// Resets every connection there is.
  package func cutAll() { for connection in living { connection.cut() } }

  /// Lets every packet of the connections there are vanish in the kernel, both directions.
  ///
  /// - Returns: false where the system does not allow that.
  package func losePackets() -> Bool { living.allSatisfy { $0.losePackets() } }

  /// Whether ``losePackets()`` can work on this system.
  package static let canLosePackets = {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    defer { Glibc.close(descriptor) }
    return ProxiedConnection.dropEverything(descriptor)
  }()

  /// Stops listening and resets what is open.
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

  /// The armed fault that this message of a client gives occasion for, taken.
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

/// A connection to a port of this machine; nil where nobody listens.
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
