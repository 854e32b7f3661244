import BatonLive
import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresencePostgres
import PresenceSQL
import PresenceTesting
import RunnerSQL
import Synchronization
import TestSupport
import Testing

/// Tests all calls of a server with the login `PREFIX_api`.
///
/// If the login's role lacks a right, the test fails.
@Suite(.timeLimit(.minutes(5))) struct PresenceApiLoginTests {
  @Test(
    .sampled(),
    arguments: Randomness.sample(4, of: PresenceContract.achievements + PresenceContract.watch))
  func `the API's role keeps the promises of achievements and the watch`(
    promise: Promise<any PlaceEnvironment>
  ) async throws {
    try await PostgresEnvironment.asAPI { try await promise.check(in: $0) }
  }

  @Test(
    .sampled(),
    arguments: Randomness.sample(
      4, of: PresenceContract.presences + PresenceContract.streams + PresenceContract.safety))
  func `the API's role keeps the promises of presence and its streams`(
    promise: Promise<any PresenceEnvironment>
  ) async throws {
    try await PostgresEnvironment.asAPI { try await promise.check(in: $0) }
  }

  @Test(.sampled(), arguments: Randomness.sample(4, of: ChatContract.checks))
  func `the API's role keeps the promises of chat`(promise: Promise<any ChatEnvironment>)
    async throws
  {
    try await PostgresEnvironment.asAPI {
      let environment = PostgresChatEnvironment(places: $0.places, database: $0.database)
      try await environment.moveClock(to: ChatContract.beginning)
      try await promise.check(in: environment)
    }
  }

  @Test func `the API's role may run every statement of the repositories and of the hub`()
    async throws
  {
    try await Places.roles.withCopy { database in
      let refused = try await Places.roles.refused(
        SQL.Api.all + [SQL.Live.observe, SQL.Live.stopObserving], as: "api", database: database)
      #expect(refused == [])
      // A role without rights shows that the check finds missing rights.
      let all = try await Places.roles.refused(
        SQL.Api.all, as: "dashboard", database: database)
      #expect(all == SQL.Api.all.map(\.name))
    }
  }

  @Test func `the API's role follows places and chats, is woken, and lets go of one of them`()
    async throws
  {
    try await Places.withRoles(at: "2024-06-05 12:00") { places, api in
      try await places.accounts("ann", "ben")
      try await places.found("g", by: "ann", "ben")
      let database = PresenceDatabase(api, schema: places.test.schema)
      let (here, page) = (Newest<PresenceSnapshot>(), Newest<[Message]>())
      let place = here.follow(database.presences(for: "ann").observe("g"))
      let chat = page.follow(database.chat(for: "ann").observeMessages(of: "g"))
      try await eventually("both") { here.value != nil && page.value != nil }
      try await eventually("the locks of both") { try await places.hubs().count == 2 }
      let hub = try await places.hubs()[0]

      #expect(try await places.outcome(Places.checkIn("ben", 1)) == "accepted t 1")
      #expect(try await places.test.drain() == 0)
      try await eventually("Ben") { here.value?.presences.map(\.userId) == ["ben"] }
      _ = try await database.chat(for: "ben").send(MessageDraft(groupId: "g", text: "Hello"))
      try await eventually("his message") { page.value?.map(\.text) == ["Hello"] }

      chat.cancel()
      _ = await chat.value
      try await eventually("the lock of places alone") { try await places.hubs() == [hub] }
      place.cancel()
      #expect(await place.value == nil)
      await database.close()
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "observe(text)", "changed_places(text[], bigint[], text[])",
      "observed_presences(text[], text[], text[])", "refused_viewers(text[], text[])",
    ])
  func `observers are told of a right that is missing, and their stream ends`(function: String)
    async throws
  {
    try await Places.withRoles { places, api in
      try await places.accounts("ann")
      try await places.found("g", by: "ann")
      let failures = Mutex<[String]>([])
      var options = LiveOptions()
      options.onFailure = { feed, error in
        let state = (error as? PostgresError)?.sqlState.code ?? "\(error)"
        failures.withLock { $0.append("\(feed) \(state)") }
      }
      let database = PresenceDatabase(api, schema: places.test.schema, live: options)
      let here = Newest<PresenceSnapshot>()
      let revoke = "revoke execute on function \(function) from \(Places.roles.schema)_api"
      // This function is called only for a new connection.
      let isOfConnection = function.hasPrefix("observe(")
      if isOfConnection { try await places.sql(revoke) }
      let place = here.follow(database.presences(for: "ann").observe("g"))
      if !isOfConnection {
        try await eventually("a place") { here.value != nil }
        try await places.sql(revoke)
      }
      try await eventually("the end of the stream") { here.hasEnded }
      let last = await place.value
      guard case .serverError(let error)? = last else {
        throw TestFailure("the stream ended with \(last.map { "\($0)" } ?? "nothing")")
      }
      #expect((error as? PostgresError)?.sqlState.code == "42501")
      #expect(failures.withLock { $0 } == ["presences 42501"])
      await database.close()
    }
  }
}

/// The newest value that a stream has delivered.
private final class Newest<Value: Sendable>: Sendable {
  private let newest = Mutex<Value?>(nil)
  private let end = Mutex(false)

  var value: Value? { newest.withLock { $0 } }
  var hasEnded: Bool { end.withLock { $0 } }

  /// Reads a stream to its end, and returns its last error.
  func follow(_ stream: AsyncStream<Result<Value, AppError>>) -> Task<AppError?, Never> {
    Task {
      var last: AppError?
      for await element in stream {
        switch element {
        case .success(let value):
          newest.withLock { $0 = value }
          last = nil
        case .failure(let error): last = error
        }
      }
      end.withLock { $0 = true }
      return last
    }
  }
}

extension Places {
  /// Returns the sessions that hold the locks of hubs, one for each lock.
  func hubs() async throws -> [String] {
    try await sql(
      """
      select pid from pg_locks where locktype = 'advisory' and mode = 'ShareLock'
        and database = (select oid from pg_database where datname = current_database())
      """)
  }
}
