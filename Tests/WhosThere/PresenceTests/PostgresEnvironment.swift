import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresencePostgres
import PresenceTesting
import TestSupport

/// A real server for the contract.
struct PostgresEnvironment: PresenceEnvironment {
  let places: Places
  let database: PresenceDatabase

  static func with(_ body: (PostgresEnvironment) async throws -> Void) async throws {
    try await Places.with(at: Self.text(of: PresenceContract.beginning)) { places in
      try await with(places, places.test.configuration, body)
    }
  }

  /// Calls the body with repositories that log in with the role of an API, which may execute only
  /// its calls.
  static func asAPI(_ body: (PostgresEnvironment) async throws -> Void) async throws {
    try await Places.withRoles(at: Self.text(of: PresenceContract.beginning)) { places, api in
      try await with(places, api, body)
    }
  }

  private static func with(
    _ places: Places, _ configuration: ConnectionConfiguration,
    _ body: (PostgresEnvironment) async throws -> Void
  ) async throws {
    let database = PresenceDatabase(configuration, schema: places.test.schema)
    let result: Result<Void, any Error>
    do {
      result = .success(try await body(Self(places: places, database: database)))
    } catch {
      result = .failure(error)
    }
    await database.close()
    try result.get()
  }

  /// Returns the time in UTC, without its zone.
  private static func text(of time: Date) throws -> String {
    guard let text = InstantText.text(of: time) else { throw TestFailure("\(time) has no text") }
    return String(text.dropLast())
  }

  func addUser(_ id: String) async throws {
    try await places.sql(
      """
      insert into users (id, display_name, is_anonymous) values ('\(id)', '\(id)', false)
      on conflict do nothing
      """)
  }

  func groups(for actor: String?) async throws -> any GroupRepository {
    database.groups(for: actor)
  }

  func users(for actor: String?) async throws -> any UserRepository { database.users(for: actor) }

  func safety(for actor: String?) async throws -> any SafetyRepository {
    database.safety(for: actor)
  }

  func achievements(for actor: String?) async throws -> any AchievementRepository {
    database.achievements(for: actor)
  }

  func watch(for actor: String?) async throws -> any WatchRepository { database.watch(for: actor) }

  func presences(for actor: String?) async throws -> any PresenceRepository {
    database.presences(for: actor)
  }

  func now() async throws -> Date {
    let text = try await places.sql("select extract(epoch from domain_now())")
    guard let seconds = text.first.flatMap(Double.init) else { throw TestFailure("\(text)") }
    return Date(timeIntervalSince1970: seconds)
  }

  func moveClock(to time: Date) async throws { try await places.stand(at: try Self.text(of: time)) }

  func settle() async throws {
    // The schedule uses the server's clock, which does not stand still.
    try await places.sql("select enqueue('end-stale-presences', 'scheduled')")
    guard try await places.test.drain() == 0 else { throw TestFailure("a run died") }
  }
}
