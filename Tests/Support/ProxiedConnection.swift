import Foundation
import Synchronization

/// One connection through the fault proxy: the two sockets, and the thread that copies bytes
/// between the sockets.
final class ProxiedConnection: Sendable {
  enum End { case closed, cut, outOfBytes }

  private enum Mode { case open, silent, answerLost, cut, over }

  private let client: Int32
  private let server: Int32
  private let mode = Mutex(Mode.open)
  private let budget: Int?
  private let counter: MessageCounter?

  init(client: Int32, server: Int32, budget: Int?, counter: MessageCounter?) {
    self.client = client
    self.server = server
    self.budget = budget
    self.counter = counter
    var on: Int32 = 1
    for descriptor in [client, server] {
      setsockopt(
        descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }
  }

  var isOver: Bool { mode.withLock { $0 == .over } }

  /// Makes the copying thread reset the connection on both sides.
  func cut() { change(to: .cut) }

  /// Makes the kernel drop all packets from either side before TCP receives the packets.
  ///
  /// The kernel then sends no acknowledgements and does not respond to keepalives.
  func losePackets() -> Bool {
    // The lock is held, because the copying thread closes the descriptors.
    mode.withLock { mode in
      guard mode != .over, mode != .cut else { return true }
      mode = .silent
      return Self.dropEverything(client) && Self.dropEverything(server)
    }
  }

  /// Copies bytes until one side closes the connection.
  ///
  /// `fault` is called with each message of the client.
  func run(_ fault: ([UInt8]) -> FaultProxy.Fault?) -> End {
    let end = copy(fault)
    mode.withLock { mode in
      mode = .over
      if end != .closed { for descriptor in [client, server] { resetOnClose(descriptor) } }
      close(client)
      close(server)
    }
    return end
  }

  private func copy(_ fault: ([UInt8]) -> FaultProxy.Fault?) -> End {
    var left = budget ?? .max
    var conversation = Conversation()
    while true {
      switch mode.withLock({ $0 }) {
      case .cut, .over: return .cut
      case .silent: poll(nil, 0, 10)
      case .open, .answerLost:
        for (from, to) in readable() {
          guard var bytes = receive(from) else { return .closed }
          if from == client, let fault = fault(bytes) { begin(fault) }
          switch mode.withLock({ $0 }) {
          case .silent, .cut: continue
          // The server has responded, so the server has executed the statement.
          case .answerLost where from == server: return .cut
          default: break
          }
          if let counter {
            guard passOn(bytes, from, to, &conversation, counter) else { return .cut }
            continue
          }
          if bytes.count > left { bytes.removeLast(bytes.count - left) }
          left -= bytes.count
          guard send(bytes, to) else { return .closed }
          if left == 0 { return .outOfBytes }
        }
      }
    }
  }

  /// Forwards complete messages.
  ///
  /// The result is false if the counted message was reached or if forwarding fails.
  private func passOn(
    _ bytes: [UInt8], _ from: Int32, _ to: Int32, _ conversation: inout Conversation,
    _ counter: MessageCounter
  ) -> Bool {
    let isAnswer = from == server
    let pieces =
      isAnswer ? conversation.said(byServer: bytes) : conversation.said(byClient: bytes)
    var whole: [UInt8] = []
    for piece in pieces {
      if let statement = piece.statement, counter.isHit(isAnswer ? .answer : .statement, statement)
      {
        // Earlier messages of the client are forwarded first. If the counted message is a response,
        // nothing is forwarded.
        if !isAnswer { _ = send(whole, to) }
        return false
      }
      whole += piece.bytes
    }
    return send(whole, to)
  }

  private func begin(_ fault: FaultProxy.Fault) {
    switch fault {
    case .silence: change(to: .silent)
    case .loseAnswer: change(to: .answerLost)
    }
  }

  private func change(to next: Mode) {
    mode.withLock { if $0 != .over && $0 != .cut { $0 = next } }
  }

  /// Returns the sockets that have bytes to read, each with the socket that receives the bytes.
  ///
  /// The call returns regularly, so that the thread notices `cut`.
  private func readable() -> [(from: Int32, to: Int32)] {
    var sockets = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    guard poll(&sockets, 2, 10) > 0 else { return [] }
    return zip(sockets, [(client, server), (server, client)])
      .filter { $0.0.revents != 0 }.map { (from: $0.1.0, to: $0.1.1) }
  }

  private func receive(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    guard count > 0 else { return nil }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  private func send(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Makes a socket send RST instead of FIN when it is closed, like a firewall or a restarted
  /// machine.
  private func resetOnClose(_ descriptor: Int32) {
    var now = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
  }

  /// Attaches a packet filter to a socket.
  ///
  /// The filter's only instruction drops every packet.
  static func dropEverything(_ descriptor: Int32) -> Bool {
    // The constants BPF_RET | BPF_K and SO_ATTACH_FILTER are from linux/filter.h, which the module
    // Glibc does not export.
    var keepNothing = Instruction(code: 0x06, jumpTrue: 0, jumpFalse: 0, value: 0)
    return withUnsafeMutablePointer(to: &keepNothing) { instruction in
      var program = Program(length: 1, instructions: instruction)
      return setsockopt(
        descriptor, SOL_SOCKET, 26, &program, socklen_t(MemoryLayout<Program>.size)) == 0
    }
  }

  /// The C type `struct sock_filter`.
  private struct Instruction {
    let code: UInt16
    let jumpTrue: UInt8
    let jumpFalse: UInt8
    let value: UInt32
  }

  /// The C type `struct sock_fprog`.
  private struct Program {
    let length: UInt16
    let instructions: UnsafeMutablePointer<Instruction>
  }
}
