import Foundation
import Presence
import PresenceTesting
import TestSupport

/// A second implementation of the rules without a database: the results of the in-memory server for
/// the same commands, one after another.
struct StormModel {
  let server: InMemoryPresence
  private let clock: ManualClock

  init(_ clock: ManualClock) {
    self.clock = clock
    server = InMemoryPresence { clock.now }
  }

  func prepare(users: [String], groups: [String: String]) async throws {
    for user in users { await server.addUser(user, displayName: user) }
    for (group, zone) in groups.sorted(by: { $0.key < $1.key }) {
      _ = try await server.groups(for: users[0]).createGroup(
        id: group, name: "Group", shape: .circle(center: .at(52.5, 13.4), radius: 100),
        isPublic: true, timeZone: zone)
      for user in users.dropFirst() {
        _ = try await server.groups(for: user).joinPublicGroup(group)
      }
    }
  }

  /// Returns the commands with a different answer.
  func differences(from answered: [Storm.Answered]) async throws -> [String] {
    var differences: [String] = []
    for (number, one) in answered.enumerated() {
      clock.move(to: one.at)
      let answer = try await server.presences(for: one.user).send(one.command)
      if answer.outcome.rawValue != one.outcome || answer.isReplayed {
        differences.append(
          "\(number), \(one.user) \(one.command.groupId): \(one.outcome), here \(answer.outcome)")
      }
    }
    return differences
  }

  /// Returns the contents of a snapshot, without the time and the version of its line.
  static func text(of snapshot: PresenceSnapshot) -> [String] {
    let summary = snapshot.summary
    return [
      "\(summary.presentCount) \(summary.firstToday ?? "-") \(summary.latest)",
      snapshot.own.map(text) ?? "never",
    ] + snapshot.presences.map(text)
  }

  private static func text(of presence: Presence) -> String {
    let deadline = presence.deadline.flatMap { InstantText.text(of: $0) } ?? "-"
    return """
      \(presence.userId) \(presence.isPresent) \(presence.source) \(presence.version) \
      \(InstantText.text(of: presence.since) ?? "") \(deadline) \
      \(InstantText.text(of: presence.changedAt) ?? "")
      """
  }
}
