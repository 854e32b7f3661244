import BatonJobs
import Presence
import PresenceServer

/// Unlocks what a user's numbers have come to.
///
/// It looks at the numbers alone and adds what is missing, so it can be run twice, late or for somebody who is gone. Numbers
/// begin with zeros, which unlock nothing. Who is there is more urgent.
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

  /// A user.
  typealias Key = IDKey

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.unlocks.award(to: batch.map(\.key.description))
  }
}
