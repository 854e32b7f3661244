import Foundation
import JobTesting
import Testing

@testable import Orders

/// Each test starts its own server as the webhook.
@Suite struct TellOnCallTests {
  @Test func `a dead run is posted to the webhook with the id of the run`() async throws {
    let address = try #require(
      ProcessInfo.processInfo.environment["DATABASE_URL"],
      "set DATABASE_URL to the address that `orders db up` prints")
    let server = try WebhookServer(answers: [503, 204])
    setenv("ON_CALL_URL", "http://127.0.0.1:\(server.port)/died", 1)
    try await JobTest.run(Orders.jobs, parts: Orders.parts, at: address) { test in
      try await test.sql("select enqueue('tell-warehouse', 'no number')")
      // The rejected request was retried, so only the first run is dead.
      #expect(try await test.drain() == 1)
      let requests = server.requests
      #expect(requests.count == 2)
      #expect(requests.allSatisfy { $0.contains(#""job":"tell-warehouse""#) })
      let keys = requests.map { $0.firstMatch(of: /(?i)idempotency-key: (\d+)/)?.output.1 }
      #expect(keys[0] != nil && keys[0] == keys[1], "both attempts have one key")
    }
  }

  @Test func `each request arrives whole if the webhook closes its connections`() async throws {
    let server = try WebhookServer(answers: Array(repeating: 204, count: 3))
    let url = try #require(URL(string: "http://127.0.0.1:\(server.port)/died"))
    for id in 1...3 {
      try await Webhook().post(
        .init(id: Int64(id), job: "tell-warehouse", key: "k", attempts: 8, error: "no"), to: url,
        idempotencyKey: "\(id)")
    }
    #expect(server.requests.count == 3)
    #expect(server.requests.allSatisfy { $0.contains(#""job":"tell-warehouse""#) })
  }
}

/// Responds to one request after another on a port of the loopback interface, and stores the
/// requests.
///
/// The server closes a connection when a second request arrives on the connection. A real server
/// may close a connection at any time.
private final class WebhookServer: @unchecked Sendable {
  let port: Int
  private let lock = NSLock()
  private var kept: [String] = []

  var requests: [String] { lock.withLock { kept } }

  init(answers: [Int]) throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 8) == 0
          && getsockname(listener, $0, &size) == 0
      }
    }
    try #require(isListening)
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [self] in
      for answer in answers { serve(listener, answer) }
      close(listener)
    }
  }

  private func serve(_ listener: Int32, _ answer: Int) {
    let connection = accept(listener, nil, nil)
    defer { close(connection) }
    var bytes = [UInt8]()
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !bytes.contains(UInt8(ascii: "}")) {
      let count = read(connection, &buffer, buffer.count)
      guard count > 0 else { return }
      bytes += buffer[..<count]
    }
    lock.withLock { kept.append(String(decoding: bytes, as: UTF8.self)) }
    let response = "HTTP/1.1 \(answer) so\r\nContent-Length: 0\r\n\r\n"
    _ = response.withCString { write(connection, $0, strlen($0)) }
    // The call waits until the client closes the connection or uses the connection again.
    _ = read(connection, &buffer, buffer.count)
  }
}
