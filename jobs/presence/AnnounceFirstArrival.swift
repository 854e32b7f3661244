import JobCore
import Presence

/// Tells the members of a group who is the first one there today.
struct AnnounceFirstArrival: EffectJob {
  static let definition = Definition<Self>(
    "announce-first-arrival", on: [.table("first_arrival", on: .insert, key: "id")],
    timeout: .seconds(15), limits: [.perSecond(20, burst: 20)])

  /// The arrival's id.
  typealias Key = Int64

  static func perform(_ run: Run<Self>, in context: PushContext) async throws {
    try await context.tell(of: run) { try await $0.news(ofFirstArrival: run.key) }
  }
}
