import Foundation
import Synchronization

/// A man in the middle between a client and a server.
///
/// The eavesdropper records every byte of both directions, and can respond falsely to a request for
/// TLS.
package final class Eavesdropper: Sendable {
  /// The response to a client's request for TLS.
  package enum Answer: Sendable {
    /// The eavesdropper forwards the request to the server.
    case theServers
    /// The eavesdropper refuses TLS without forwarding the request.
    case no
    /// The eavesdropper accepts TLS and immediately sends unencrypted bytes after the response.
    case yesAndMore
  }

  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: Listener
  private let server: Int
  private let answer: Answer
  private let heard = Mutex((client: [UInt8](), server: [UInt8]()))

  /// Creates an eavesdropper in front of a server's port on the loopback interface.
  ///
  /// - Throws: `TestFailure` if listening on a port or a socket fails.
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

  /// The bytes that clients have sent so far.
  package var said: [UInt8] { heard.withLock { $0.client } }

  /// Returns whether a text was sent unencrypted, in either direction.
  package func hasHeard(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return heard.withLock { heard in
      [heard.client, heard.server].contains { $0.firstRange(of: bytes) != nil }
    }
  }

  /// Stops listening.
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

  /// Responds to SSLRequest, the first message of a client.
  ///
  /// The result is false if the client sends nothing.
  private func lie(to client: Int32, _ upstream: Int32) -> Bool {
    guard let question = receive(client) else { return false }
    heard.withLock { $0.client += question }
    guard answer == .yesAndMore else {
      send([UInt8(ascii: "N")], to: client)
      return true
    }
    send(question, to: upstream)
    guard let yes = receive(upstream) else { return false }
    // The bytes are sent together with the response, so that they arrive before the client starts
    // encryption.
    send(yes + Array(repeating: 0x16, count: 64), to: client)
    return true
  }

  private func receive(_ descriptor: Int32) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = recv(descriptor, &bytes, bytes.count, 0)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }

  /// Sends a few kilobytes, which fit into the buffer of a socket.
  private func send(_ bytes: [UInt8], to descriptor: Int32) {
    _ = Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }
}
