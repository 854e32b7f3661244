import BatonJobs
import Presence
import PresenceServer

/// Unlocks the achievements whose goals a user's statistics have reached.
///
/// The job compares the user's current statistics with the goals of the locked achievements, so a
/// late or repeated run is harmless. A new user's statistics are zero and do not unlock anything.
/// The job has a low priority, because changes to presences are more urgent.
struct AwardAchievements: BatchJob {
  static let definition = Definition<Self>(
    "award-achievements",
    on: [
      .table(
        "user_stats",
        on: .update(
          of: "check_ins", "first_arrivals", "groups_visited", "longest_streak", "longest_stay",
          "messages_sent"),
        key: "user_id")
    ],
    debounce: .perKey(quiet: .milliseconds(500), atMost: .seconds(1)), batch: 500,
    retry: .usual.capped(at: .seconds(60)), priority: 6)

  /// The id of a user.
  typealias Key = IDKey

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.unlocks.award(to: batch.map(\.key.description))
  }
}
