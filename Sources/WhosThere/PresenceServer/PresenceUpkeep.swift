import Presence

/// The presence store, with the operations that jobs need.
public protocol PresenceUpkeep: Sendable {
  /// Writes the summaries of groups whose present users have changed.
  func summarize(_ groups: [String]) async throws

  /// Ends presences whose deadline has passed.
  ///
  /// If a presence's deadline was postponed, the method schedules a run at the new deadline.
  func checkOutDue(_ presences: [Int64]) async throws

  /// Ends automatic presences that no device has confirmed for 12 hours.
  ///
  /// The method also ends presences whose deadline has passed, in case the run for the deadline was
  /// lost.
  ///
  /// - Returns: The number of ended presences.
  func checkOutSilent(limit: Int) async throws -> Int
}
