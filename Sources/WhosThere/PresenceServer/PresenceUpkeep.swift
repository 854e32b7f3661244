import Presence

/// What jobs do about presences.
public protocol PresenceUpkeep: Sendable {
  /// Writes the lines of groups, as far as they differ from who is there.
  func summarize(_ groups: [String]) async throws

  /// Ends presences whose deadline has come, and asks for the run of a deadline that was moved later.
  func checkOutDue(_ presences: [Int64]) async throws

  /// Ends presences that a device began and of which none was heard for long.
  ///
  /// - Returns: how many.
  func checkOutSilent(limit: Int) async throws -> Int
}
