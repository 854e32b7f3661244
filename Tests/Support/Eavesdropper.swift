import Foundation
import Synchronization

/// Somebody on the way to a server: hears every byte of both directions, and may lie about TLS.
package final class Eavesdropper: Sendable {
  /// What it does with a client's question whether the server would encrypt.
  package enum Answer: Sendable {
    /// Passes it on.
    case theServers
    /// Says no, without asking the server.
    case no
    /// Says yes, and at once more that only a server could have encrypted.
    case yesAndMore
  }

  /// Where it listens on 127.0.0.1.
  package let port: Int
  private let listener: Listener
  private let server: Int
  private let answer: Answer
  private let heard = Mutex((client: [UInt8](), server: [UInt8]()))

  /// An eavesdropper before the port of a server on loopback.
  ///
  /// - Throws: `TestFailure` where it cannot listen.
  package init(before server: Int, answering answer: Answer = .theServers) throws {
    self.server = server
    self.answer = answer
    port = try Listener.unusedPort()
    listener = try Listener(port: port)
    Thread.detachNewThread { [self] in
      while let client = listener.accept() {
        Thread.detachNewThread { [self] in relay(client) }
      }
    }
  }

  /// What clients have said so far.
  package var said: [UInt8] { heard.withLock { $0.client } }

  /// Whether a text went by in clear, in whichever direction.
  package func hasHeard(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return heard.withLock { heard in
      [heard.client, heard.server].contains { $0.firstRange(of: bytes) != nil }
    }
  }

  /// Listens no more.
  package func stop() { listener.close() }

  private func relay(_ client: Int32) {
    defer { close(client) }
    guard let upstream = connectToLoopback(server) else { return }
    defer { close(upstream) }
    if answer != .theServers {
      guard lie(to: client, upstream) else { return }
    }
    var sockets = [client, upstream].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&sockets, 2, -1) > 0 {
      for (index, socket) in sockets.enumerated() where socket.revents != 0 {
        guard let bytes = receive(socket.fd) else { return }
        heard.withLock { if index == 0 { $0.client += bytes } else { $0.server += bytes } }
        send(bytes, to: index == 0 ? upstream : client)
      }
    }
  }

  /// Answers SSLRequest, which is the first thing that a client says; false where nobody says anything.
  private func lie(to client: Int32, _ upstream: Int32) -> Bool {
    guard let question = receive(client) else { return false }
    heard.withLock { $0.client += question }
    guard answer == .yesAndMore else {
      send([UInt8(ascii: "N")], to: client)
      return true
    }
    send(question, to: upstream)
    guard let yes = receive(upstream) else { return false }
    // In one piece: it is there before the client begins to encrypt.
    send(yes + Array(repeating: 0x16, count: 64), to: client)
    return true
  }

  private func receive(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// A few kilobytes, which fit into the buffer of a socket.
  private func send(_ bytes: [UInt8], to descriptor: Int32) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
