import Presence

/// A check of one rule that every repository implementation must follow.
public struct Promise<Environment: Sendable>: Sendable, CustomStringConvertible {
  /// The rule as a sentence.
  public let description: String
  private let body: @Sendable (Environment) async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (Environment) async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Checks the rule.
  ///
  /// - Throws: `BrokenPromise`, or an unexpected error from a repository.
  public func check(in environment: Environment) async throws { try await body(environment) }
}

/// The error that a check throws if an implementation violates the check's rule.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// The source location of the failed expectation, with the expected result.
  public let description: String
}

/// Expects that two values are equal.
func expect<Value: Equatable>(
  _ value: Value, is expected: Value, file: String = #fileID, line: Int = #line
) throws {
  guard value != expected else { return }
  throw BrokenPromise(description: "\(file):\(line): \(value) instead of \(expected)")
}

/// Expects that a call is rejected with a given code.
///
/// Only the code is compared, because error texts may change.
func expectRefusal(
  _ code: String, file: String = #fileID, line: Int = #line, of call: () async throws -> Void
) async throws {
  var code = code
  switch await AppResult<Void>.calling(call) {
  case .success: code = "no error instead of \(code)"
  case .failure(let error) where error.code == code: return
  case .failure(let error): code = "\(error) instead of \(code)"
  }
  throw BrokenPromise(description: "\(file):\(line): \(code)")
}
