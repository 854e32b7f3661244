import BatonJobs
import Foundation
import Presence
import PresenceServer

/// Notifies a group's members of a new message.
struct PushMessage: EffectJob {
  static let definition = Definition<Self>(
    "push-message", on: [.table("message", on: .insert, key: "id")],
    // The retries end after a quarter of an hour, because a late push notification is useless. A
    // run that has been waiting longer than the `push_age` setting does not send anything. The
    // `pushes_a_second` setting overrides the job's rate limit.
    retry: .attempts(12, exponentialFrom: .seconds(1), to: .seconds(300)), timeout: .seconds(15),
    limits: [.perSecond(20, burst: 20)])

  /// The id of the message.
  struct Key: JobKey {
    let id: UUID

    init?(_ text: String) {
      guard let id = UUID(uuidString: text) else { return nil }
      self.id = id
    }

    var description: String { id.uuidString.lowercased() }

    static let expected = "the id of a message"
  }

  static func perform(_ run: Run<Self>, in context: PushContext) async throws {
    try await context.tell(of: run) { try await $0.news(ofMessage: run.key.id) }
  }
}
