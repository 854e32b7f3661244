import BatonJobs
import Presence
import PresenceServer

/// Plans pushes to the devices of a group's members after a day's first arrival.
struct PlanArrivalPushes: BatchJob {
  static let definition = Definition<Self>(
    "plan-arrival-pushes", on: [.table("first_arrival", on: .insert, key: "id")],
    retry: .usual.capped(at: .seconds(60)))

  /// The id of the arrival.
  typealias Key = Int64

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.pushes.plan(arrivals: batch.map(\.key))
  }
}
