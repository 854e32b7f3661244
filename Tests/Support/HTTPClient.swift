package import Foundation

/// An HTTP client that sends exactly the given bytes, even requests that a library would refuse to
/// send.
///
/// Each request uses a new socket.
package struct HTTPClient: Sendable {
  /// The response of the server.
  package struct Answer: Sendable {
    /// The status code, or 0 if no response arrived.
    package let status: Int
    /// The header fields, by their names in lower case.
    package let fields: [String: String]
    /// The body.
    package let body: String
    /// The bytes of the body, for a body that is not text.
    package let bytes: Data
  }

  /// The path of a Unix socket, or a port of 127.0.0.1.
  private enum Place {
    case socket(String)
    case port(Int)
  }

  private let place: Place

  /// Creates a client for a Unix socket.
  package init(socket path: String) { place = .socket(path) }
  /// Creates a client for a port of 127.0.0.1.
  package init(port: Int) { place = .port(port) }

  /// Sends a GET request for a path.
  ///
  /// - Throws: `TestFailure` if the server does not listen.
  package func get(
    _ path: String, method: String = "GET", _ fields: [String] = [], host: String = "localhost"
  ) async throws -> Answer {
    let lines = ["\(method) \(path) HTTP/1.1", "Host: \(host)"] + fields
    return try await ask(lines.map { $0 + "\r\n" }.joined() + "\r\n")
  }

  /// Sends a string, and returns the response after the server has closed the connection.
  ///
  /// - Throws: `TestFailure` if the server does not listen.
  package func ask(_ text: String) async throws -> Answer {
    let place = place
    let bytes = try await blocking { try Self.exchange(text, at: place) }
    let parts = String(decoding: bytes, as: UTF8.self).split(
      separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
    let lines = parts[0].split(separator: "\r\n")
    let fields = lines.dropFirst().map { $0.split(separator: ":", maxSplits: 1) }
      .map { ($0[0].lowercased(), $0.last.map { $0.drop { $0 == " " } } ?? "") }
    let named = Dictionary(fields.map { ($0, String($1)) }) { "\($0), \($1)" }
    var body = parts.count > 1 ? String(parts[1]) : ""
    if named["transfer-encoding"] == "chunked" { body = Self.unchunked(bytes) }
    return Answer(
      status: lines.first.flatMap { Int($0.split(separator: " ").dropFirst().first ?? "") } ?? 0,
      fields: named, body: body,
      bytes: bytes.range(of: Data("\r\n\r\n".utf8)).map { bytes[$0.upperBound...] } ?? Data())
  }

  /// Returns the content of a response whose body was sent in chunks.
  ///
  /// If the connection was closed before the last chunk, the content is incomplete.
  private static func unchunked(_ response: Data) -> String {
    let line = Data("\r\n".utf8)
    guard let head = response.range(of: Data("\r\n\r\n".utf8)) else { return "" }
    var (rest, content) = (response[head.upperBound...], Data())
    while let end = rest.range(of: line),
      let size = Int(String(decoding: rest[..<end.lowerBound], as: UTF8.self), radix: 16), size > 0
    {
      let chunk = rest[end.upperBound...].prefix(size)
      content.append(chunk)
      rest = rest[chunk.endIndex...].dropFirst(line.count)
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// Sends a string on a connection that stays open, and returns the descriptor.
  ///
  /// Nothing is read from the connection.
  ///
  /// - Throws: `TestFailure` if the server does not listen.
  package func hold(_ text: String) async throws -> Int32 {
    let place = place
    return try await blocking {
      let descriptor = try Self.connected(to: place)
      Self.send(text, on: descriptor)
      return descriptor
    }
  }

  private static func exchange(_ text: String, at place: Place) throws -> Data {
    let descriptor = try connected(to: place)
    defer { close(descriptor) }
    // The time limit ends the wait for a response that does not arrive.
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    send(text, on: descriptor)
    var (all, room) = (Data(), [UInt8](repeating: 0, count: 65_536))
    while true {
      let count = read(descriptor, &room, room.count)
      guard count > 0 else { return all }
      all.append(contentsOf: room[..<count])
    }
  }

  private static func send(_ text: String, on descriptor: Int32) {
    var sent = 0
    let bytes = Array(text.utf8)
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      // A server that refuses a large request may respond and stop reading, so sending can fail.
      guard count > 0 else { break }
      sent += count
    }
  }

  private static func connected(to place: Place) throws -> Int32 {
    let family = if case .socket = place { AF_UNIX } else { AF_INET }
    let descriptor = socket(family, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    let status =
      switch place {
      case .socket(let path):
        connect(descriptor, to: sockaddr_un(path: path))
      case .port(let port):
        connect(descriptor, to: sockaddr_in(loopback: port))
      }
    guard status == 0 else {
      let why = String(cString: strerror(errno))
      close(descriptor)
      throw TestFailure("nobody answers HTTP at \(place): \(why)")
    }
    return descriptor
  }

  private static func connect<Address>(_ descriptor: Int32, to address: Address) -> Int32 {
    var address = address
    return withUnsafeMutableBytes(of: &address) { bytes in
      bytes.withMemoryRebound(to: sockaddr.self) {
        Glibc.connect(descriptor, $0.baseAddress, socklen_t(bytes.count))
      }
    }
  }
}

extension sockaddr_un {
  /// Creates a socket address from a path, which must be short enough.
  fileprivate init(path: String) {
    self.init()
    sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &sun_path) { $0.copyBytes(from: path.utf8) }
  }
}

extension TestProcess {
  /// Returns a client for the HTTP server of this program, which was started with the port 0.
  ///
  /// - Throws: `TestFailure` if the program does not print its port in time.
  package func httpClient() async throws -> HTTPClient {
    try await eventually("the port") { errorsSoFar.contains("answering HTTP at") }
    guard let said = errorsSoFar.firstMatch(of: /HTTP at (?:127\.0\.0\.1|0\.0\.0\.0):(\d+),/),
      let port = Int(said.1)
    else { throw TestFailure("no port is in: \(errorsSoFar)") }
    return HTTPClient(port: port)
  }
}
