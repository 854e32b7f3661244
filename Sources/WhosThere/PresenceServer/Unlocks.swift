import Presence

/// The operations on achievements that the job for awarding them needs.
public protocol Unlocks: Sendable {
  /// Unlocks the achievements that these users have reached but do not have yet.
  ///
  /// Users without an account are ignored.
  ///
  /// - Returns: The number of new achievements.
  @discardableResult
  func award(to users: [String]) async throws -> Int
}
