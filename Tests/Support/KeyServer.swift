import Foundation
import Synchronization

/// An HTTP server that publishes the keys of an identity provider in a test.
package final class KeyServer: Sendable {
  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: Listener
  private let state = Mutex((body: "", status: 200, requests: 0))

  /// Starts a server that responds with the given keys.
  ///
  /// - Throws: `TestFailure` if listening on a port fails.
  package init(_ keys: String) throws {
    port = try Listener.unusedPort()
    listener = try Listener(port: port)
    publish(keys)
    Thread.detachNewThread { [self] in
      while let client = listener.accept() { serve(client) }
    }
  }

  /// The URL of the keys.
  package var address: String { "http://127.0.0.1:\(port)/keys" }

  /// The number of requests so far.
  package var requests: Int { state.withLock { $0.requests } }

  /// Changes the response to later requests.
  package func publish(_ keys: String, status: Int = 200) {
    state.withLock { ($0.body, $0.status) = (keys, status) }
  }

  /// Stops listening.
  package func close() { listener.close() }

  private func serve(_ client: Int32) {
    defer { Glibc.close(client) }
    var room = [UInt8](repeating: 0, count: 65_536)
    guard Glibc.read(client, &room, room.count) > 0 else { return }
    let (body, status) = state.withLock { state in
      state.requests += 1
      return (state.body, state.status)
    }
    let text =
      "HTTP/1.1 \(status) Keys\r\nContent-Type: application/json\r\nConnection: close\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
    _ = Array(text.utf8).withUnsafeBytes {
      send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
  }
}
