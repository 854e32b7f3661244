import Presence

/// The store of unlocked achievements, with the operations that the job for awarding achievements
/// needs.
public protocol Unlocks: Sendable {
  /// Unlocks the achievements that the given users have reached but do not have yet.
  ///
  /// Users without an account are ignored.
  ///
  /// - Returns: The number of new achievements.
  @discardableResult
  func award(to users: [String]) async throws -> Int
}
