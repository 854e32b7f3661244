public import Foundation

/// Sends HTTP requests.
///
/// On Linux, `AsyncHTTPTransport` uses AsyncHTTPClient. On Apple platforms, `URLSessionTransport`
/// uses `URLSession`. An app can also implement this protocol, for example to log requests.
public protocol HTTPTransport: Sendable {
  /// Sends a request, and returns the complete response.
  ///
  /// The caller cancels the task after the request's time limit.
  ///
  /// - Throws: Any error if no complete response arrives.
  func send(_ request: TransportRequest) async throws -> TransportResponse

  /// Sends a request whose response is a stream, and passes the parts of the body to `receive`.
  ///
  /// The method returns at the end of the stream. If the status is not 200, `receive` is not
  /// called, and the returned response contains the body.
  ///
  /// - Throws: Any error if the connection fails, and any error that `receive` throws.
  func stream(
    _ request: TransportRequest, receive: @Sendable (Data) async throws -> Void
  ) async throws -> TransportResponse
}

/// An HTTP request.
public struct TransportRequest: Sendable {
  /// The method, such as `GET`.
  public let method: String
  /// The absolute URL, whose path and query are percent-encoded.
  public let url: String
  /// The headers.
  public let headers: [(name: String, value: String)]
  /// The body, or nil for a request without a body.
  public let body: Data?

  /// Creates a request.
  public init(
    method: String, url: String, headers: [(name: String, value: String)], body: Data? = nil
  ) {
    (self.method, self.url, self.headers, self.body) = (method, url, headers, body)
  }
}

/// An HTTP response.
public struct TransportResponse: Sendable {
  /// The maximum number of bytes in a response body: 4 MiB.
  public static let mostBytes = 4 << 20

  /// The status code.
  public let status: Int
  /// The values of the headers, keyed by their names in lower case.
  public let headers: [String: String]
  /// The body, which is empty for a response without a body.
  public let body: Data

  /// Creates a response.
  public init(status: Int, headers: [(name: String, value: String)], body: Data = Data()) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first
    }
    self.body = body
  }
}

/// The error if no response arrives within the time limit.
struct TransportTimeout: Error {}

/// Runs an operation and cancels it if it exceeds a time limit.
///
/// - Throws: `TransportTimeout`, or an error that the operation throws.
func limited<R: Sendable>(
  to limit: Duration, _ operation: @escaping @Sendable () async throws -> R
) async throws -> R {
  try await withThrowingTaskGroup(of: R.self) { group in
    group.addTask { try await operation() }
    group.addTask {
      try await Task.sleep(for: limit)
      throw TransportTimeout()
    }
    defer { group.cancelAll() }
    guard let first = try await group.next() else { throw TransportTimeout() }
    return first
  }
}
