import BatonJobs
import ProductPush

/// Sends the latest change in a member's rank on a board to one of the member's devices.
///
/// All changes on one board within a minute become one push, whose content is read when the push is
/// sent.
struct PushRankChange: EffectJob {
  static let definition = Definition<Self>(
    "push-rank-change", on: [.event(.pushRankChange)],
    debounce: .perKey(quiet: .seconds(60), atMost: .seconds(60)), concurrency: 20,
    retry: .pushes, timeout: .seconds(25), limits: [.perSecond(20, burst: 20)])

  /// The key consists of a device and a board.
  typealias Key = PushKey

  static func perform(_ run: Run<Self>, in delivery: PushDelivery) async throws {
    try await delivery.deliver(run)
  }
}

extension Retry {
  /// The retries of pushes, which end after about an hour.
  ///
  /// A run that is older than the `push_age` setting does not send anything. The `pushes_a_second`
  /// setting overrides the rate limit of the push jobs.
  static let pushes = Retry.attempts(20, exponentialFrom: .seconds(1), to: .seconds(300))
}

extension Topic {
  /// The topic of events about a changed rank for one device.
  static let pushRankChange = Topic("push.rank-change")
  /// The topic of events about an ended week or a new member, for one device.
  static let pushNotification = Topic("push.notification")
}
