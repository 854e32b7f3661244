import Presence

/// The store for unlocked achievements, with the operations that the job for awarding achievements
/// needs.
public protocol Unlocks: Sendable {
  /// Unlocks all locked achievements whose goals the given users have reached.
  ///
  /// Users without an account are ignored.
  ///
  /// - Returns: The number of newly unlocked achievements.
  @discardableResult
  func award(to users: [String]) async throws -> Int
}
