import BatonJobs
import Presence
import PresenceServer

/// Writes the summary line of a group after a member arrives or leaves.
///
/// The summary line lists the present members. A group without recent changes gets its line
/// immediately. A group with continuous changes gets a new line four times per second. A run that
/// is repeated, late or out of order is harmless, because the line is derived data.
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
