import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesServer
import TestSupport

extension Gym {
  /// Runs a statement as an owner who has disabled the triggers.
  func withoutTriggers(_ statement: String) async throws {
    try await connection.atomically(
      in: schema, .test("set local session_replication_role = replica"), .test(statement))
  }

  /// Removes all events, as if they had been dispatched and processed.
  func fold() async throws { try await run("truncate event_0, event_1, event_2") }

  /// Returns the drift: type, kind, user, current value, expected value.
  func drift() async throws -> [String] {
    try await foundDrift().map {
      [$0.type, $0.kind, $0.user, $0.found, $0.expected].compactMap(\.self).joined(separator: " ")
    }
  }

  /// Corrects all drift, like `gymrats verify --fix`.
  func heal() async throws {
    for healing in Healing.list(for: try await foundDrift()) { try await heal(healing) }
  }

  /// Corrects one drift in a separate transaction.
  func heal(_ healing: Healing, on other: Connection? = nil) async throws {
    try await (other ?? connection).transaction(in: schema) {
      try await PostgresVerification($0).heal(healing)
    }
  }

  private func foundDrift() async throws -> [BoardDrift] {
    try await connection.transaction(in: schema) { transaction in
      let verification = PostgresVerification(transaction)
      let all = GroupShare(1, seed: 1)
      let weeks = try await verification.nextWeeks(after: nil, limit: 1000, of: all)
      let boards = try await verification.confirmedDrift(of: weeks)
      return try await boards + verification.nextGroups(after: "", limit: 1000, of: all).drift
    }
  }
}
