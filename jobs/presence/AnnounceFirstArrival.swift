import BatonJobs
import Presence
import PresenceServer

/// Notifies a group's members of the day's first arrival.
struct AnnounceFirstArrival: EffectJob {
  static let definition = Definition<Self>(
    "announce-first-arrival", on: [.table("first_arrival", on: .insert, key: "id")],
    // The retries and limits are the same as in `PushMessage`.
    retry: .attempts(12, exponentialFrom: .seconds(1), to: .seconds(300)), timeout: .seconds(15),
    limits: [.perSecond(20, burst: 20)])

  /// The id of the arrival.
  typealias Key = Int64

  static func perform(_ run: Run<Self>, in context: PushContext) async throws {
    try await context.tell(of: run) { try await $0.news(ofFirstArrival: run.key) }
  }
}
