import Foundation
import Presence
import PresenceServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The other side of pushes, over HTTP: a POST each, with the id of the run as its key.
struct HTTPPush: Push {
  /// Names the other side.
  static let variable = "WHOSTHERE_PUSH_URL"

  /// The address, as it was given.
  let address: String

  /// What the environment names; nil: nothing.
  static var ofEnvironment: HTTPPush? {
    ProcessInfo.processInfo.environment[variable].flatMap {
      $0.isEmpty ? nil : HTTPPush(address: $0)
    }
  }

  /// - Throws: what `URLSession` throws, and ``Failure``: both are tried again, with the same key.
  func send(_ news: News, idempotencyKey: String) async throws {
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host != nil
    else { throw Failure(description: "\(Self.variable) is not an address of HTTP") }
    // Less than the jobs have: what is late is an error of this request.
    var request = URLRequest(url: url, timeoutInterval: 10)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue(idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = try JSONEncoder().encode(news)
    // A session, and so a connection, for each request. If a server closes a connection that URLSession has kept,
    // URLSession on Linux sends the next POST a second time without its body, and waits for its timeout.
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (_, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
      throw Failure(description: "the push was answered with \(status)")
    }
  }

  /// The push service did not accept the notification.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
