package import Foundation
import Synchronization

/// An HTTP server that answers each request with the bytes that a test returns, on a new connection
/// for each request.
package final class AnsweringServer: Sendable {
  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: Listener
  private let answer: @Sendable (_ number: Int, _ request: String) -> String
  private let received = Mutex<[String]>([])

  /// Starts a server.
  ///
  /// `answer` returns the response to the request with a number, starting at 1. The server sends
  /// the response and closes the connection. `answer` may block.
  ///
  /// - Throws: `TestFailure` if listening on a port fails.
  package init(
    answer: @escaping @Sendable (_ number: Int, _ request: String) -> String
  ) throws {
    self.answer = answer
    port = try Listener.unusedPort()
    listener = try Listener(port: port)
    Thread.detachNewThread { [self] in
      while let client = listener.accept() {
        Thread.detachNewThread { [self] in serve(client) }
      }
    }
  }

  /// The URL of the server.
  package var address: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }

  /// The requests that were received so far.
  package var requests: [String] { received.withLock { $0 } }

  /// Stops listening.
  package func close() { listener.close() }

  private func serve(_ client: Int32) {
    defer { Glibc.close(client) }
    var (request, room) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
    while !String(decoding: request, as: UTF8.self).contains("\r\n\r\n") {
      let count = Glibc.read(client, &room, room.count)
      guard count > 0 else { return }
      request += room[..<count]
    }
    let text = String(decoding: request, as: UTF8.self)
    let number = received.withLock { received in
      received.append(text)
      return received.count
    }
    _ = Array(answer(number, text).utf8).withUnsafeBytes {
      send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }
}
