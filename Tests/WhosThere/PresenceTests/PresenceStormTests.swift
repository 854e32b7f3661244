import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresencePostgres
import PresenceTesting
import Synchronization
import TestSupport
import Testing

@testable import WhosThere

/// Tests phones and watches that send commands, also twice and over broken connections, while the
/// clock leaps and workers are killed.
///
/// The result must equal the result of the in-memory server for the same commands at the same
/// times.
@Suite(.timeLimit(.minutes(20))) struct PresenceStormTests {
  private static let users = ["ann", "ben", "cid", "dan", "eve", "fay"]
  private static let groups = ["g1": "UTC", "g2": "Pacific/Auckland", "g3": "America/New_York"]
  private static let phones = 4
  private static let commandsEach = TestSize.isFull ? 1_000 : 50

  @Test(.sampled())
  func `presences, numbers and lines are those of a model, whatever is killed`() async throws {
    try await check { $0 }
  }

  @Test(.enabled(if: TestSize.isFull, "full size"))
  func `behind a pooler too`() async throws {
    try await PgBouncer.with(poolSize: 20) { pooler in
      try await check { $0.through(pooler.address) }
    }
  }

  /// - Parameter way: how phones and workers reach the server. The test itself connects directly.
  private func check(
    _ way: (ConnectionConfiguration) -> ConnectionConfiguration
  ) async throws {
    let randomness = Randomness()
    print(randomness)
    try await JobTest.run([], parts: WhosThere.parts, at: try TestServer.address) { test in
      let places = Places(test: test)
      let address = way(test.configuration).address
      let program = BatonProgram(
        executable: try BatonProgram.path(of: "whosthere"),
        environment: ["DATABASE_URL": address, "BATON_SCHEMA": test.schema.name])
      let storm = Storm(
        places: places, program: program, address: address, randomness: randomness)
      try await storm.prepare(users: Self.users, groups: Self.groups)
      let kills = try await storm.rage(
        phones: Self.phones, commandsEach: Self.commandsEach, users: Self.users,
        groups: Self.groups.keys.sorted())
      #expect(kills.workers >= 3 && kills.connections >= 3, "\(kills)")
      try await storm.calmDown()
      #expect(try await places.sql("select job, error from dead_run") == [])
      #expect(try await places.broken() == [])

      let model = StormModel(storm.clock)
      try await model.prepare(users: Self.users, groups: Self.groups)
      let differences = try await model.differences(from: try await storm.answered())
      #expect(differences == [])
      storm.clock.move(to: try await storm.now())
      let database = PresenceDatabase(test.configuration, schema: test.schema)
      for user in Self.users {
        for group in Self.groups.keys.sorted() {
          let real = try await database.presences(for: user).presences(of: group)
          let expected = try await model.server.presences(for: user).presences(of: group)
          #expect(StormModel.text(of: real) == StormModel.text(of: expected), "\(user), \(group)")
        }
        let (real, expected) = (
          database.achievements(for: user), model.server.achievements(for: user)
        )
        #expect(try await real.stats() == expected.stats(), "\(user)")
        #expect(
          try await Set(real.earned().map(\.type)) == Set(expected.earned().map(\.type)), "\(user)")
      }
      await database.close()
    }
  }
}
