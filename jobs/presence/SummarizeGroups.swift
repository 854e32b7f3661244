import BatonJobs
import Presence
import PresenceServer

/// Writes who is at a group's place in a line, after somebody came or left.
///
/// A group that was quiet has its line at once, one that is written without pause four times a second. The line is derived:
/// writing it twice, late or out of order is harmless.
struct SummarizeGroups: BatchJob {
  static let definition = Definition<Self>(
    "summarize-groups",
    on: [
      .table(
        "presence", on: .insert, .update(of: "version", "user_id"), .delete,
        key: "group_id")
    ],
    debounce: .perKey(every: .milliseconds(250)), batch: 500,
    retry: .usual.capped(at: .seconds(60)))

  /// A group.
  typealias Key = IDKey

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.presences.summarize(batch.map(\.key.description))
  }
}
