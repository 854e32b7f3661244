import Presence

/// The operations on presences that jobs need.
public protocol PresenceUpkeep: Sendable {
  /// Writes the summaries of groups if the users at the place have changed.
  func summarize(_ groups: [String]) async throws

  /// Ends presences whose deadline has passed, and requests another run for a deadline that was
  /// moved to a later time.
  func checkOutDue(_ presences: [Int64]) async throws

  /// Ends automatic presences that no device has confirmed for too long.
  ///
  /// - Returns: The number of ended presences.
  func checkOutSilent(limit: Int) async throws -> Int
}
