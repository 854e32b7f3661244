import BatonJobs
import Presence
import PresenceServer

/// Writes the summary line of a group, which lists the members who are present, after a member arrives or leaves.
///
/// A group without recent changes gets its line immediately, a group that changes continuously four times a second. The
/// line is derived data: a run that happens twice, late or out of order is harmless.
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

  /// The id of a group.
  typealias Key = IDKey

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.presences.summarize(batch.map(\.key.description))
  }
}
