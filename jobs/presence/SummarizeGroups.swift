import BatonJobs
import Presence
import PresenceServer

/// Updates a group's summary after a member arrives or leaves.
///
/// The summary lists the present members. If a group has no recent changes, its summary is updated
/// immediately. If a group changes continuously, its summary is updated four times per second. A
/// repeated, late or out-of-order run is harmless, because the summary is derived data.
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
