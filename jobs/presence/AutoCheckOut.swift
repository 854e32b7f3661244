import BatonJobs
import Presence
import PresenceServer

/// Checks out whose deadline has come.
///
/// `check_in` asks for a run at the deadline, by the presence's id; so those who are there cost nothing until then. A deadline
/// that was moved later is found by the run of the earlier one, which asks for the next.
struct AutoCheckOut: BatchJob {
  static let definition = Definition<Self>(
    "auto-check-out", batch: 500, retry: .usual.capped(at: .seconds(60)))

  /// A presence.
  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.presences.checkOutDue(batch.map(\.key))
  }
}
