import Challenges
import Foundation
import ProductHTTP

/// The HTTP calls of one user.
struct HTTPCalls: Sendable {
  let connection: ServerConnection
  private let actor: String?

  init(_ connection: ServerConnection, actor: String?) {
    (self.connection, self.actor) = (connection, actor)
  }

  /// Returns the user's id.
  ///
  /// - Throws: `notAuthenticated` if no user is signed in or if `userId` is the id of another user.
  @discardableResult
  func signedIn(as userId: String? = nil) throws(DomainError) -> String {
    guard let actor else { throw .notAuthenticated }
    if let userId, !userId.utf8.elementsEqual(actor.utf8) { throw .notAuthenticated }
    return actor
  }

  /// Sends a call, and decodes the response.
  func read<Value: Decodable>(
    _ type: Value.Type, _ method: String, _ path: [String],
    query: KeyValuePairs<String, String?> = [:], key: String? = nil,
    sends body: (some Encodable)? = String?.none
  ) async throws -> Value {
    try Self.decoded(
      type,
      try await response(
        ClientCall(
          method, path, query: query, key: key, body: try Self.data(of: body), user: actor)))
  }

  /// Sends a call whose response has no body.
  func run(
    _ method: String, _ path: [String], key: String? = nil,
    sends body: (some Encodable)? = String?.none
  ) async throws {
    _ = try await response(
      ClientCall(method, path, key: key, body: try Self.data(of: body), user: actor))
  }

  private func response(_ call: ClientCall) async throws -> Data {
    do {
      return try await connection.send(call).body
    } catch {
      throw Self.error(error)
    }
  }

  /// Returns a stream of updates, each of which contains the complete resource.
  func follow<Value: Sendable>(
    _ path: [String], value: @escaping @Sendable (Data) throws -> Value
  ) -> AsyncStream<Result<Value, DomainError>> {
    typealias Updates = FollowedResource<Value, DomainError>
    do throws(DomainError) { try signedIn() } catch { return Updates.refused(error) }
    let call = ClientCall("GET", path, user: actor)
    return Updates(
      connection, stream: call.stream, call: call, value: value, event: value,
      failure: { error in
        // An error that is not a refusal does not end the stream, because a later request may
        // succeed.
        guard let refusal = Self.error(error) as? DomainError else {
          return (.networkUnavailable, false)
        }
        return (refusal, !refusal.isRetryable)
      }
    ).updates()
  }

  static func decoded<Value: Decodable>(_ type: Value.Type, _ data: Data) throws -> Value {
    try WireFormat.read(type, from: data)
  }

  private static func data(of body: (some Encodable)?) throws -> Data? {
    do {
      return try body.map { try WireFormat.data(of: $0) }
    } catch is EncodingError {
      // A time before the year 1900 or after 2100 cannot be encoded.
      throw DomainError.invalidInput
    }
  }

  // MARK: Errors

  /// Converts a connection error into the error that the caller gets.
  static func error(_ error: any Error) -> any Error {
    switch error {
    case let failure as APIFailure: DomainError(failure) ?? failure.unexpected
    case is CancellationError: error
    case is DecodingError, is WireFormat.TooLarge: error
    // The app's token provider can also throw a `DomainError`.
    case let refusal as DomainError: refusal
    default: Task.isCancelled ? CancellationError() : DomainError.networkUnavailable
    }
  }
}

extension DomainError {
  /// Creates the error for an API response, or returns nil if the response contains no GymRats
  /// error.
  init?(_ failure: APIFailure) {
    let state = failure.sqlState.flatMap { DomainError(sqlState: $0, detail: failure.groupId) }
    if let known = failure.code.flatMap({ DomainError(code: $0, groupId: failure.groupId) }) {
      self = known
    } else if let state {
      self = state
    } else if failure.isTemporary {
      self = .networkUnavailable
    } else {
      return nil
    }
  }
}
