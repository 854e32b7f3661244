import Presence

/// What users have achieved, for the job that awards it.
public protocol Unlocks: Sendable {
  /// Unlocks what these users have achieved and do not have; users who are gone are passed over.
  ///
  /// - Returns: how many achievements were new.
  @discardableResult
  func award(to users: [String]) async throws -> Int
}
