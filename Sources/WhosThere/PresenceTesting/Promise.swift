import Presence

/// One promise of the repositories, which every implementation has to keep.
public struct Promise<Environment: Sendable>: Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  public let description: String
  private let body: @Sendable (Environment) async throws -> Void

  init(_ description: String, _ body: @escaping @Sendable (Environment) async throws -> Void) {
    self.description = description
    self.body = body
  }

  /// Tries it.
  ///
  /// - Throws: `BrokenPromise`, or what a repository threw where it should not have.
  public func check(in environment: Environment) async throws { try await body(environment) }
}

/// A promise that was not kept.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// What was expected, and where that stands.
  public let description: String
}

/// Expects a value.
func expect<Value: Equatable>(
  _ value: Value, is expected: Value, file: String = #fileID, line: Int = #line
) throws {
  guard value != expected else { return }
  throw BrokenPromise(description: "\(file):\(line): \(value) instead of \(expected)")
}

/// Expects a refusal, by its code: texts are for people.
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
