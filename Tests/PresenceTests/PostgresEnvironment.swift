import Foundation
import JobTesting
import Postgres
import Presence
import PresencePostgres
import PresenceTesting
import TestSupport

/// Commands and snapshots, without streams.
private struct Commands: PresenceRepository {
  let presences: PostgresPresences

  func send(_ command: PresenceCommand) async throws(AppError) -> PresenceAnswer {
    try await presences.send(command)
  }

  func presences(of groupId: String) async throws(AppError) -> PresenceSnapshot {
    try await presences.presences(of: groupId)
  }

  func observe(_ groupId: String) -> AsyncStream<Result<PresenceSnapshot, AppError>> {
    AsyncStream { $0.finish() }
  }
}

/// A real server for the contract.
struct PostgresEnvironment: PresenceEnvironment {
  let places: Places
  let database: PresenceDatabase

  static func with(_ body: (PostgresEnvironment) async throws -> Void) async throws {
    try await Places.working(at: Self.text(of: PresenceContract.beginning)) { places in
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      let result: Result<Void, any Error>
      do {
        result = .success(try await body(Self(places: places, database: database)))
      } catch {
        result = .failure(error)
      }
      await database.close()
      try result.get()
    }
  }

  /// In UTC, without its zone.
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

  func achievements(for actor: String?) async throws -> any AchievementRepository {
    database.achievements(for: actor)
  }

  func watch(for actor: String?) async throws -> any WatchRepository { database.watch(for: actor) }

  func presences(for actor: String?) async throws -> any PresenceRepository {
    Commands(presences: database.presences(for: actor))
  }

  func now() async throws -> Date {
    let text = try await places.sql("select extract(epoch from domain_now())")
    guard let seconds = text.first.flatMap(Double.init) else { throw TestFailure("\(text)") }
    return Date(timeIntervalSince1970: seconds)
  }

  func moveClock(to time: Date) async throws { try await places.stand(at: try Self.text(of: time)) }

  func settle() async throws {
    guard try await places.test.drain() == 0 else { throw TestFailure("a run died") }
  }
}
