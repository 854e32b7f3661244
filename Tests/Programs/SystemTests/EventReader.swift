#if HTTP
  import Foundation
  import Synchronization
  import TestSupport
  import Testing

  /// A client of a stream of server-sent events, with its own socket.
  final class EventReader: Sendable {
    /// A server-sent event.
    struct Event: Sendable {
      var id: String?
      var name: String?
      var data = ""

      /// The fields of the data, or no fields if the data is not a JSON object.
      var object: [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(data.utf8))) as? [String: Any] ?? [:]
      }
    }

    private struct State {
      var bytes = Data()
      var isEnded = false
    }

    private let descriptor: Int32
    private let state = Mutex(State())

    /// Reads from a socket on which the request has been sent.
    ///
    /// - Parameter descriptor: the socket, which the reader closes.
    init(_ descriptor: Int32) {
      self.descriptor = descriptor
      Thread.detachNewThread { [self] in
        var room = [UInt8](repeating: 0, count: 65_536)
        while true {
          let count = read(descriptor, &room, room.count)
          guard count > 0 else { break }
          state.withLock { $0.bytes.append(contentsOf: room[..<count]) }
        }
        state.withLock { $0.isEnded = true }
        Glibc.close(descriptor)
      }
    }

    /// Closes the connection, or does nothing if the server has closed it.
    func close() {
      // The reading thread closes the socket after this, so the number is still the socket's.
      state.withLock { if !$0.isEnded { _ = shutdown(descriptor, Int32(SHUT_RDWR)) } }
    }

    /// Returns whether the last 4 MB contain a text, which is faster than reading all events.
    func hasReceived(_ text: String) -> Bool {
      state.withLock { state in
        let end = state.bytes.endIndex
        let start = max(state.bytes.startIndex, end - (4 << 20))
        return state.bytes.range(of: Data(text.utf8), options: .backwards, in: start..<end) != nil
      }
    }

    /// Whether the server has closed the connection.
    var isEnded: Bool { state.withLock(\.isEnded) }

    /// The status code, or 0 before the head of the response has arrived.
    var status: Int {
      guard let head else { return 0 }
      return Int(head.split(separator: " ").dropFirst().first ?? "") ?? 0
    }

    /// The head of the response, or nil before it has arrived.
    var head: String? { parts?.head }

    /// The events so far, which are complete.
    var events: [Event] {
      blocks.compactMap { block in
        var event = Event()
        for line in block where !line.hasPrefix(":") {
          let parts = line.split(separator: ":", maxSplits: 1).map { $0.drop { $0 == " " } }
          guard parts.count == 2 else { continue }
          switch parts[0] {
          case "id": event.id = String(parts[1])
          case "event": event.name = String(parts[1])
          case "data": event.data = String(parts[1])
          default: break
          }
        }
        return event.data == "" ? nil : event
      }
    }

    /// The number of comments so far.
    var comments: Int { blocks.count { $0.first?.hasPrefix(":") == true } }

    /// The complete body so far.
    var body: String { parts.map { String(decoding: $0.body, as: UTF8.self) } ?? "" }

    /// The lines of each complete block of the body.
    private var blocks: [[Substring]] {
      body.components(separatedBy: "\n\n").dropLast().map {
        $0.split(separator: "\n").map { $0 }
      }
    }

    /// The head, and the body without the framing of chunks.
    private var parts: (head: String, body: Data)? {
      let bytes = state.withLock(\.bytes)
      guard let end = bytes.firstRange(of: Data("\r\n\r\n".utf8)) else { return nil }
      let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      var rest = bytes[end.upperBound...]
      guard head.lowercased().contains("transfer-encoding: chunked") else {
        return (head, Data(rest))
      }
      var body = Data()
      while let line = rest.firstRange(of: Data("\r\n".utf8)) {
        let digits = String(decoding: rest[..<line.lowerBound], as: UTF8.self)
        guard let size = Int(digits, radix: 16), size > 0,
          rest.distance(from: line.upperBound, to: rest.endIndex) >= size + 2
        else { break }
        body.append(rest[line.upperBound..<line.upperBound + size])
        rest = rest[(line.upperBound + size + 2)...]
      }
      return (head, body)
    }
  }

  extension APIClient {
    /// Opens a stream, and waits for the head of the response.
    func stream(
      _ path: String, as token: String? = nil, after id: String? = nil
    ) async throws -> EventReader {
      let reader = EventReader(try await http.hold(request(path, as: token, after: id)))
      try await eventually("a response of \(path)") { reader.status != 0 || reader.isEnded }
      return reader
    }

    /// Opens a stream without reading the response, and returns the socket.
    func holdStream(_ path: String, as token: String) async throws -> Int32 {
      try await http.hold(request(path, as: token))
    }

    private func request(_ path: String, as token: String?, after id: String? = nil) -> String {
      var lines = ["GET \(path) HTTP/1.1", "Host: api.test"]
      if let token { lines.append("Authorization: Bearer \(token)") }
      if let id { lines.append("Last-Event-ID: \(id)") }
      return lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }

    /// Creates a ticket of a stream.
    func ticket(as token: String) async throws -> String {
      let made = try await done("POST", "/v1/stream-tickets", as: token)
      return made["ticket"] as? String ?? "no ticket"
    }
  }
#endif
