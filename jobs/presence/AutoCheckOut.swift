import BatonJobs
import Presence
import PresenceServer

/// Checks out members whose deadline has passed.
///
/// The `check_in` SQL function enqueues a run for the deadline, with the presence's id as its key.
/// If the deadline was postponed, the run for the old deadline enqueues a run for the new one.
struct AutoCheckOut: BatchJob {
  static let definition = Definition<Self>(
    "auto-check-out", batch: 500, retry: .usual.capped(at: .seconds(60)))

  /// The id of a presence.
  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.presences.checkOutDue(batch.map(\.key))
  }
}
