import BatonJobs
import ProductPush

/// Sends a member's devices a notification about an ended week or a new member.
struct PushNotification: EffectJob {
  static let definition = Definition<Self>(
    "push-notification", on: [.event(.pushNotification)], concurrency: 20, retry: .pushes,
    timeout: .seconds(25), limits: [.perSecond(20, burst: 20)])

  /// The key consists of a device and a notification.
  typealias Key = PushKey

  static func perform(_ run: Run<Self>, in delivery: PushDelivery) async throws {
    try await delivery.deliver(run)
  }
}
