import BatonJobs
import Presence
import PresenceServer

/// Plans the pushes of a day's first arrival to the devices of the group's members.
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
