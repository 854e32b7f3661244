import Synchronization

/// A fake service that responds to the requests of effects in a test, in place of a real server.
///
/// Like a service with idempotency keys, the fake service performs only one request with each key.
/// If a request with the key was already performed, the service returns the first response again.
/// In a test, the effect's context calls ``send(_:idempotencyKey:)`` instead of sending a request
/// to a real server.
///
/// ```swift
/// let payments = FakeService<Int, String> { cents in "charged \(cents)" }
/// payments.answerNext(.fail(Unavailable()), .loseResponse(Unavailable()))
/// // ... the test drains the runs ...
/// try payments.expectPerformed(["\(id)/charge"])
/// ```
/// Effects can use the service concurrently.
public final class FakeService<Request: Sendable & Equatable, Response: Sendable>: Sendable {
  /// The service's behavior for one request.
  public enum Answer: Sendable {
    /// The service performs the request, and returns the response.
    case respond
    /// The service does not perform the request, and the caller gets the error.
    case fail(any Error)
    /// The service performs the request, and the response is lost, so the caller gets the error.
    case loseResponse(any Error)
    /// The service does not perform the request. The call waits until the caller is cancelled, for
    /// example by the job's timeout.
    case hang
  }

  private struct State {
    var answers: [Answer] = []
    /// Each call's key and request, in order.
    var calls: [(key: String, request: Request)] = []
    var performed: [String: (request: Request, response: Response)] = [:]
    /// The keys of the performed requests, in order.
    var keys: [String] = []
    /// A key that was sent with two different requests, or nil if no key was reused.
    var reusedKey: String?
  }

  private let respond: @Sendable (Request) -> Response
  private let state = Mutex(State())

  /// Creates a service that performs and answers each request, unless the test calls
  /// ``answerNext(_:)``.
  ///
  /// - Parameter respond: returns the response to a request that is performed.
  public init(_ respond: @escaping @Sendable (Request) -> Response) { self.respond = respond }

  /// Sets the service's behavior for the next requests.
  ///
  /// Each behavior is used for one request. Behaviors set by earlier calls to this method are used
  /// first. When no behaviors are left, each further request gets the ``Answer/respond`` behavior.
  public func answerNext(_ answers: Answer...) {
    state.withLock { $0.answers += answers }
  }

  /// Sends a request to the service.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - idempotencyKey: the key. The service performs only one request with each key.
  /// - Returns: the response. If a request with the key was already performed, the first response
  ///   is returned again.
  /// - Throws: the error that the test has set, `CancellationError` if the service hangs, or an
  ///   error if the key was used for a different request.
  public func send(_ request: Request, idempotencyKey: String) async throws -> Response {
    let answer = state.withLock { state in
      state.calls.append((idempotencyKey, request))
      return state.answers.isEmpty ? .respond : state.answers.removeFirst()
    }
    switch answer {
    case .respond: return try perform(request, idempotencyKey)
    case .fail(let error): throw error
    case .loseResponse(let error):
      _ = try perform(request, idempotencyKey)
      throw error
    case .hang:
      while true { try await Task.sleep(for: .seconds(3600)) }
    }
  }

  private func perform(_ request: Request, _ key: String) throws -> Response {
    try state.withLock { state in
      if let first = state.performed[key] {
        guard first.request == request else {
          state.reusedKey = state.reusedKey ?? key
          throw FailedExpectation(description: Self.reuse(of: key))
        }
        return first.response
      }
      let response = respond(request)
      state.performed[key] = (request, response)
      state.keys.append(key)
      return response
    }
  }

  private static func reuse(of key: String) -> String {
    "The idempotency key '\(key)' was sent with two different requests. "
      + "Each request of a run needs its own key, for example the key of a step."
  }

  /// The keys of all received requests in order, including requests that were not performed.
  public var receivedKeys: [String] { state.withLock { $0.calls.map(\.key) } }

  /// The performed requests, in the order in which they were first performed.
  public var performedRequests: [Request] {
    state.withLock { state in state.keys.compactMap { state.performed[$0]?.request } }
  }

  /// Checks that the service has performed exactly the requests with the given keys, in any order.
  ///
  /// - Parameters:
  ///   - keys: the idempotency keys.
  ///   - file: the file of the call, for the error.
  ///   - line: the line of the call, for the error.
  /// - Throws: an error that lists missing keys, unexpected keys and all received requests, or an
  ///   error about a key that was sent with two different requests.
  public func expectPerformed(
    _ keys: [String], file: String = #fileID, line: Int = #line
  ) throws {
    let (performed, calls, reused) = state.withLock { ($0.keys, $0.calls, $0.reusedKey) }
    if let reused {
      throw FailedExpectation(description: "\(file):\(line): \(Self.reuse(of: reused))")
    }
    let missing = Set(keys).subtracting(performed).sorted()
    let others = Set(performed).subtracting(keys).sorted()
    guard !missing.isEmpty || !others.isEmpty else { return }
    let lines = calls.map { "  '\($0.key)': \($0.request)" }
    throw FailedExpectation(
      description: """
        \(file):\(line): not performed: \(missing), performed in addition: \(others). \
        The service has received:
        \(lines.joined(separator: "\n"))
        """)
  }
}
