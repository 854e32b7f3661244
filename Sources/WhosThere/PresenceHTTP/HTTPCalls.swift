import Foundation
import Presence
import ProductHTTP

/// Sends one user's calls to the HTTP API.
struct HTTPCalls: Sendable {
  let connection: ServerConnection
  let actor: String?

  /// Returns the user's id.
  ///
  /// - Throws: `notAuthenticated` if no user is signed in.
  @discardableResult
  func signedIn() throws(AppError) -> String {
    guard let actor else { throw .notAuthenticated }
    return actor
  }

  /// Sends a call that needs a signed-in user, and decodes the response.
  func read<Value: Decodable>(
    _ type: Value.Type, _ method: String, _ path: [String],
    query: KeyValuePairs<String, String?> = [:], key: String? = nil,
    sends body: (some Encodable)? = String?.none
  ) async throws(AppError) -> Value {
    try signedIn()
    let body = try Self.data(of: body)
    return try await send(
      type, ClientCall(method, path, query: query, key: key, body: body, user: actor))
  }

  /// Sends a call that needs a signed-in user, and ignores the response.
  func run(
    _ method: String, _ path: [String], key: String? = nil,
    sends body: (some Encodable)? = String?.none
  ) async throws(AppError) {
    try signedIn()
    let call = ClientCall(method, path, key: key, body: try Self.data(of: body), user: actor)
    do { _ = try await connection.send(call) } catch { throw AppError(http: error) }
  }

  /// Sends a call that does not need a signed-in user, and decodes the response.
  func send<Value: Decodable>(
    _ type: Value.Type, _ call: ClientCall
  ) async throws(AppError) -> Value {
    do {
      return try WireFormat.read(type, from: try await connection.send(call).body)
    } catch {
      throw AppError(http: error)
    }
  }

  /// Encodes the body of a call.
  ///
  /// - Throws: `invalidInput` if a time is before the year 1900 or after the year 2100.
  static func data(of body: (some Encodable)?) throws(AppError) -> Data? {
    do {
      return try body.map { try WireFormat.data(of: $0) }
    } catch {
      throw .invalidInput("a value has no JSON")
    }
  }

  /// Returns a stream of the updates to a resource.
  func follow<Value: Sendable>(
    _ path: [String], query: KeyValuePairs<String, String?> = [:],
    value: @escaping @Sendable (Data) throws -> Value,
    event: (@Sendable (Data) throws -> Value)?
  ) -> AsyncStream<Result<Value, AppError>> {
    typealias Updates = FollowedResource<Value, AppError>
    do throws(AppError) { try signedIn() } catch { return Updates.refused(error) }
    return Updates(
      connection, stream: ClientCall("GET", path, user: actor).stream,
      call: ClientCall("GET", path, query: query, user: actor), value: value, event: event,
      failure: { error in
        let error = AppError(http: error)
        // A server fault is reported as `networkUnavailable` and does not end the stream, because
        // the server may recover.
        if case .serverError = error { return (.networkUnavailable, false) }
        return (error, !error.isRetryable)
      }
    ).updates()
  }
}

extension AppError {
  /// Converts a connection error into an app error.
  init(http error: any Error) {
    switch error {
    case let failure as APIFailure: self.init(failure)
    case let error as AppError: self = error
    case is DecodingError, is WireFormat.TooLarge: self = .serverError(underlying: error)
    default: self = .networkUnavailable
    }
  }

  private init(_ failure: APIFailure) {
    let known = AppError.refusals.first { $0.code == failure.code }
    if let state = known?.sqlState ?? failure.sqlState,
      let refusal = AppError(sqlState: state, detail: failure.seconds ?? failure.text)
    {
      self = refusal
    } else if failure.code == AppError.networkUnavailable.code || failure.isTemporary {
      self = .networkUnavailable
    } else {
      self = .serverError(underlying: failure.unexpected)
    }
  }
}
