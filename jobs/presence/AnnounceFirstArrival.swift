import BatonJobs
import Presence
import PresenceServer

/// Notifies the members of a group of today's first arrival.
struct AnnounceFirstArrival: EffectJob {
  static let definition = Definition<Self>(
    "announce-first-arrival", on: [.table("first_arrival", on: .insert, key: "id")],
    // The same limits as ``PushMessage``, for the same reason.
    retry: .attempts(12, exponentialFrom: .seconds(1), to: .seconds(300)), timeout: .seconds(15),
    limits: [.perSecond(20, burst: 20)])

  /// The arrival's id.
  typealias Key = Int64

  static func perform(_ run: Run<Self>, in context: PushContext) async throws {
    try await context.tell(of: run) { try await $0.news(ofFirstArrival: run.key) }
  }
}
