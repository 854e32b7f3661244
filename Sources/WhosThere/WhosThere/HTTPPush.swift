import Foundation
import Presence
import PresenceServer

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Sends push notifications to a service over HTTP.
///
/// Each notification is a POST request with the run's id as the idempotency key.
struct HTTPPush: Push {
  /// The name of the environment variable with the service's URL.
  static let variable = "WHOSTHERE_PUSH_URL"

  /// The service's URL, exactly as in the environment variable.
  let address: String

  /// The service at the URL in the environment variable, or nil if it is not set.
  static var ofEnvironment: HTTPPush? {
    ProcessInfo.processInfo.environment[variable].flatMap {
      $0.isEmpty ? nil : HTTPPush(address: $0)
    }
  }

  /// Sends a notification.
  ///
  /// After an error, the run is retried with the same idempotency key.
  ///
  /// - Throws: A `URLSession` error or a ``Failure``.
  func send(_ news: News, idempotencyKey: String) async throws {
    guard let url = URL(string: address), ["http", "https"].contains(url.scheme), url.host != nil
    else { throw Failure(description: "\(Self.variable) is not an address of HTTP") }
    // The request's timeout must be shorter than the job's timeout.
    var request = URLRequest(url: url, timeoutInterval: 10)
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    request.setValue(idempotencyKey, forHTTPHeaderField: "Idempotency-Key")
    request.httpBody = try JSONEncoder().encode(news)
    // Each request uses a new session, and therefore a new connection. After a server has closed an
    // idle connection, URLSession on Linux sends the next POST without its body, and the request
    // times out.
    let session = URLSession(configuration: .ephemeral)
    defer { session.finishTasksAndInvalidate() }
    let (_, response) = try await session.data(for: request)
    let status = (response as? HTTPURLResponse)?.statusCode ?? 0
    guard (200..<300).contains(status) else {
      throw Failure(description: "the push was answered with \(status)")
    }
    // After a redirect, URLSession sends a GET request without the notification. The other page's
    // status is then not the status of the push.
    guard response.url == url else {
      throw Failure(description: "the push was answered with a redirect")
    }
  }

  /// The push service did not accept the notification.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
