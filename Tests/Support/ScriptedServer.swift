import Foundation
import Synchronization

/// An HTTP/1.1 server of a test, which stores the requests and sends scripted responses.
///
/// Each response ends its connection.
package final class ScriptedServer: Sendable {
  /// A received request.
  package struct Request: Sendable {
    /// The method.
    package let method: String
    /// The path, with the query.
    package let path: String
    /// The header fields, by their names in lower case.
    package let fields: [String: String]
    /// The body.
    package let body: String

    /// The JSON object of the body, or an empty object.
    package var object: [String: Any] {
      (try? JSONSerialization.jsonObject(with: Data(body.utf8))) as? [String: Any] ?? [:]
    }
  }

  /// A response.
  package struct Answer: Sendable {
    let status: Int
    let fields: [String: String]
    let body: String

    /// Creates a response.
    package init(_ status: Int, _ body: String = "", fields: [String: String] = [:]) {
      (self.status, self.fields, self.body) = (status, fields, body)
    }
  }

  private let port: Int
  private let listener: Listener
  private let answer: @Sendable (Request, _ number: Int) -> Answer
  private let stored = Mutex<[Request]>([])

  /// Starts a server.
  ///
  /// `answer` gets each request with its number, starting at 0.
  ///
  /// - Throws: `TestFailure` if listening on a port fails.
  package init(
    _ answer: @escaping @Sendable (Request, _ number: Int) -> Answer = { _, _ in Answer(200) }
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

  /// The base URL, without a slash at the end.
  package var address: String { "http://127.0.0.1:\(port)" }

  /// The requests so far, in the order of receipt.
  package var requests: [Request] { stored.withLock { $0 } }

  /// Stops listening.
  package func close() { listener.close() }

  private func serve(_ client: Int32) {
    defer { Glibc.close(client) }
    guard let request = Self.read(from: client) else { return }
    let number = stored.withLock { requests in
      requests.append(request)
      return requests.count - 1
    }
    let answer = answer(request, number)
    // A script can announce a longer body than the server sends.
    var all = answer.fields
    if all["content-length"] == nil { all["content-length"] = "\(answer.body.utf8.count)" }
    let fields = all.map { "\($0.key): \($0.value)\r\n" }.joined()
    let text =
      "HTTP/1.1 \(answer.status) Answer\r\nConnection: close\r\n\(fields)\r\n\(answer.body)"
    _ = Array(text.utf8).withUnsafeBytes {
      send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    // If the server closed the connection first, the client could lose the response.
    var room = [UInt8](repeating: 0, count: 1_024)
    _ = Glibc.read(client, &room, room.count)
  }

  private static func read(from client: Int32) -> Request? {
    var (all, room) = (Data(), [UInt8](repeating: 0, count: 65_536))
    while true {
      if let head = all.range(of: Data("\r\n\r\n".utf8)) {
        let lines = String(decoding: all[..<head.lowerBound], as: UTF8.self)
          .components(separatedBy: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
          fields[parts[0].lowercased()] =
            parts.count == 2
            ? parts[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let body = all[head.upperBound...]
        if body.count >= Int(fields["content-length"] ?? "0") ?? 0 {
          let start = (lines.first ?? "").split(separator: " ").map(String.init)
          guard start.count == 3 else { return nil }
          return Request(
            method: start[0], path: start[1], fields: fields,
            body: String(decoding: body, as: UTF8.self))
        }
      }
      let count = Glibc.read(client, &room, room.count)
      guard count > 0 else { return nil }
      all.append(contentsOf: room[..<count])
    }
  }
}
