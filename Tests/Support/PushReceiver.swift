import Foundation
import Synchronization

/// An HTTP server that receives push notifications in a test, and stores the requests.
///
/// If a second request arrives on a connection, the server closes the connection without an
/// announcement. A real server may do the same when it restarts. A client that does not handle the
/// closed connection loses the second request.
package final class PushReceiver: Sendable {
  /// A received request.
  package struct Request: Sendable {
    /// The idempotency key, or an empty string if the request had no key.
    package let key: String
    /// The body.
    package let body: String
  }

  /// The port on 127.0.0.1.
  package let port: Int
  private let listener: Listener
  private let answer: @Sendable (_ number: Int) -> Int?
  /// The value of the `Location` header, for responses with a redirect.
  package let location: String
  private let state = Mutex((requests: [Request](), held: [Int32]()))

  /// Creates a server.
  ///
  /// `answer` returns the status code for the request with a number, starting at 0, or nil to send
  /// no response.
  ///
  /// - Throws: `TestFailure` if listening on a port or a socket fails.
  package init(
    location: String = "", answer: @escaping @Sendable (_ number: Int) -> Int? = { _ in 204 }
  ) throws {
    self.location = location
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
  package var address: String { "http://127.0.0.1:\(port)/push" }

  /// The requests that were received so far, in the order of receipt.
  package var requests: [Request] { state.withLock { $0.requests } }

  /// The number of requests with each key.
  package var keys: [String: Int] {
    requests.reduce(into: [:]) { $0[$1.key, default: 0] += 1 }
  }

  /// Stops listening, and closes the connections that received no response.
  package func close() {
    listener.close()
    let held = state.withLock { state in
      defer { state.held = [] }
      return state.held
    }
    for client in held { Glibc.close(client) }
  }

  private func serve(_ client: Int32) {
    guard let request = Self.read(from: client) else {
      Glibc.close(client)
      return
    }
    let number = state.withLock { state in
      state.requests.append(request)
      return state.requests.count - 1
    }
    guard let status = answer(number) else {
      state.withLock { $0.held.append(client) }
      return
    }
    let redirect = location.isEmpty ? "" : "Location: \(location)\r\n"
    let text = "HTTP/1.1 \(status) Answer\r\n\(redirect)Content-Length: 0\r\n\r\n"
    _ = Array(text.utf8).withUnsafeBytes {
      send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    // The call waits until the client closes the connection or uses the connection again.
    var room = [UInt8](repeating: 0, count: 65_536)
    _ = Glibc.read(client, &room, room.count)
    Glibc.close(client)
  }

  private static func read(from client: Int32) -> Request? {
    var (all, room) = (Data(), [UInt8](repeating: 0, count: 65_536))
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let head = all.range(of: end) {
        let fields = String(decoding: all[..<head.lowerBound], as: UTF8.self)
          .split(separator: "\r\n").map { $0.split(separator: ":", maxSplits: 1) }
        func field(_ name: String) -> String {
          let found = fields.first { $0.first?.lowercased() == name }
          return (found?.last ?? "").trimmingCharacters(in: .whitespaces)
        }
        let body = all[head.upperBound...]
        if body.count >= Int(field("content-length")) ?? 0 {
          return Request(
            key: field("idempotency-key"), body: String(decoding: body, as: UTF8.self))
        }
      }
      let count = Glibc.read(client, &room, room.count)
      guard count > 0 else { return nil }
      all.append(contentsOf: room[..<count])
    }
  }
}
