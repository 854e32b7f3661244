import Foundation
import JobTesting
import Postgres
import Presence
import PresencePostgres
import PresenceTesting
import TestSupport
import Testing

/// The repositories of PostgreSQL keep what all servers promise.
@Suite(.timeLimit(.minutes(5))) struct PostgresPlaceContractTests {
  @Test(arguments: PresenceContract.achievements + PresenceContract.watch)
  func `PostgreSQL keeps the promises of achievements and the watch`(
    promise: Promise<any PlaceEnvironment>
  ) async throws {
    try await PostgresEnvironment.with { try await promise.check(in: $0) }
  }
}

/// A real server for the contract.
private struct PostgresEnvironment: PlaceEnvironment {
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

  /// The rows that a check-in and a check-out write.
  func stay(_ user: String, at groupId: String, from arrival: Date, for seconds: Int?) async throws
  {
    let at = "'\(try Self.text(of: arrival))Z'::timestamptz"
    let date = "(select (\(at) at time zone time_zone)::date from groups where id = '\(groupId)')"
    let departure = seconds.map { "\(at) + interval '\($0) seconds'" }
    try await moveClock(to: arrival)
    let first = try await places.sql(
      """
      insert into first_arrival (group_id, local_date, user_id, arrived_at)
      values ('\(groupId)', \(date), '\(user)', \(at))
      on conflict do nothing returning user_id::text
      """)
    try await places.sql(
      """
      insert into presence (group_id, user_id, is_present, source, since, version, changed_at, heard_at)
      values ('\(groupId)', '\(user)', \(seconds == nil), 'manual', \(at), 1, \(at), \(at))
      on conflict (group_id, user_id) do update set version = presence.version + 1
      """)
    try await places.sql(
      """
      insert into group_summary (group_id, present_count, latest, version, changed_at)
      select group_id, count(*) filter (where is_present), '{}', 1, \(at) from presence group by group_id
      on conflict (group_id) do update set present_count = excluded.present_count
      """)
    try await places.sql(
      """
      insert into visit (user_id, group_id, arrival, local_date, is_first)
      values ('\(user)', '\(groupId)', \(at), \(date), \(!first.isEmpty))
      """)
    guard let seconds, let departure else { return }
    try await moveClock(to: arrival.addingTimeInterval(TimeInterval(seconds)))
    try await places.sql(
      """
      update visit set departure = \(departure)
      where user_id = '\(user)' and group_id = '\(groupId)' and departure is null
      """)
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
