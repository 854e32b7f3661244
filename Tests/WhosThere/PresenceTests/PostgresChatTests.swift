import Foundation
import JobTesting
import Presence
import PresencePostgres
import PresenceTesting
import TestSupport
import Testing

/// Tests chat only with the library's calls.
@Suite(.timeLimit(.minutes(5)), .bothWaysAtFullSize) struct PostgresChatTests {
  @Test(.sampled(), arguments: ChatContract.checks)
  func `PostgreSQL keeps the promises of chat`(promise: Promise<any ChatEnvironment>) async throws {
    try await Places.with { places in
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      let environment = PostgresChatEnvironment(places: places, database: database)
      let result: Result<Void, any Error>
      do {
        try await environment.moveClock(to: ChatContract.beginning)
        result = .success(try await promise.check(in: environment))
      } catch {
        result = .failure(error)
      }
      await database.close()
      try result.get()
    }
  }
}

/// A schema of the test's own, for the checks of chat.
struct PostgresChatEnvironment: ChatEnvironment {
  let places: Places
  let database: PresenceDatabase

  func addUser(_ id: String) async throws { try await places.accounts(id) }

  func users(for actor: String?) async throws -> any UserRepository { database.users(for: actor) }

  func safety(for actor: String?) async throws -> any SafetyRepository {
    database.safety(for: actor)
  }

  func groups(for actor: String?) async throws -> any GroupRepository {
    database.groups(for: actor)
  }

  func chat(for actor: String?) async throws -> any ChatRepository {
    database.chat(for: actor)
  }

  func moveClock(to time: Date) async throws {
    let text = try #require(InstantText.text(of: time))
    try await places.stand(at: String(text.dropLast()))
  }
}
