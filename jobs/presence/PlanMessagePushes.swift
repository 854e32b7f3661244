import BatonJobs
import Foundation
import Presence
import PresenceServer

/// Plans the pushes for a new message to the devices of the group's members.
///
/// The job plans the pushes after the message is committed. Sending a message therefore does not
/// take longer in a large group. If a run is repeated, each planned push is merged with an unsent
/// push for the same message to the same device.
struct PlanMessagePushes: BatchJob {
  static let definition = Definition<Self>(
    "plan-message-pushes", on: [.table("message", on: .insert, key: "id")],
    retry: .usual.capped(at: .seconds(60)))

  /// The id of the message.
  typealias Key = PushMessage.Key

  static func run(_ batch: [Run<Self>], in context: PresenceContext) async throws {
    try await context.pushes.plan(messages: batch.map(\.key.id))
  }
}
