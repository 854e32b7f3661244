import BatonJobs
import ProductPush

/// Sends the notification of a day's first arrival to one of a member's devices.
struct DeliverFirstArrival: EffectJob {
  static let definition = Definition<Self>(
    "deliver-first-arrival", concurrency: 20,
    // The retries and limits are the same as in `PushMessage`.
    retry: .attempts(12, exponentialFrom: .seconds(1), to: .seconds(300)), timeout: .seconds(25),
    limits: [.perSecond(20, burst: 20)])

  /// A device and an arrival.
  typealias Key = PushKey

  static func perform(_ run: Run<Self>, in delivery: PushDelivery) async throws {
    try await delivery.deliver(run)
  }
}
