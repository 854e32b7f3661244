package import BatonJobs

/// Sends a push notification to a webhook.
///
/// A job that has to send a push to a webhook enqueues a run of this job. A slow webhook server can
/// delay other webhooks, but not pushes to phones.
package struct PushWebhook: EffectJob {
  package static let definition = Definition<Self>(
    "push-webhook", concurrency: 20,
    retry: .attempts(attempts, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(15), limits: [.perSecond(20, burst: 20)])

  /// The maximum number of attempts, after which the push is dropped.
  package static let attempts = 20

  /// The ids of the webhook's device and the push's subject.
  package typealias Key = PushKey

  /// The kind of the subject, which selects the push's statements.
  let subject: String

  package static func perform(_ run: Run<Self>, in delivery: PushDelivery) async throws {
    try await delivery.deliver(toWebhook: run)
  }
}
