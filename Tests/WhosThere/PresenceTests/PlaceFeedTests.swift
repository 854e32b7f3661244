import BatonPostgres
import Foundation
import JobTesting
import Presence
import PresencePostgres
import TestSupport
import Testing

/// Tests presences and messages as members observe them.
@Suite(.timeLimit(.minutes(5))) struct PlaceFeedTests {
  private func with(
    _ body: (Places, PresenceDatabase) async throws -> Void
  ) async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "ben", "zoe")
      try await places.found("g", by: "ann", "ben")
      let database = PresenceDatabase(places.test.configuration, schema: places.test.schema)
      try await body(places, database)
      await database.close()
    }
  }

  /// Returns the first element that satisfies the condition.
  ///
  /// Earlier elements are skipped.
  private func first<Value>(
    _ what: String, of stream: AsyncStream<Result<Value, AppError>>,
    where isIt: (Result<Value, AppError>) -> Bool
  ) async throws -> Result<Value, AppError> {
    for await element in stream where isIt(element) { return element }
    throw TestFailure("the stream ended without \(what)")
  }

  @Test(.sampled()) func `members see who comes and goes, with their own line, until they leave`()
    async throws
  {
    try await with { places, database in
      let anns = database.presences(for: "ann").observe("g")
      let bens = database.presences(for: "ben").observe("g")
      var seen = try await first("a place", of: anns) { _ in true }.get()
      #expect(seen.presences.isEmpty && seen.own == nil && seen.summary.presentCount == 0)

      #expect(try await places.outcome(Places.checkIn("ben", 1)) == "accepted t 1")
      #expect(try await places.test.drain() == 0)
      seen = try await first("Ben", of: anns) { (try? $0.get().summary.presentCount) == 1 }.get()
      #expect(seen.presences.map(\.userId) == ["ben"] && seen.own == nil)
      #expect(seen.summary.firstToday == "ben" && seen.summary.latest == ["ben"])
      seen = try await first("himself", of: bens) { (try? $0.get().own) != nil }.get()
      #expect(seen.own?.isPresent == true)

      // On the next date, no first arrival exists yet, although no row was written: the user is
      // still present.
      try await places.stand(at: "2024-06-06 00:00:01")
      #expect(try await places.test.drain() == 0)
      seen = try await first("the next date", of: anns) {
        (try? $0.get()).map { $0.summary.firstToday == nil } ?? false
      }.get()
      #expect(seen.presences.map(\.userId) == ["ben"])

      // No user arrived or left, but the displayed data changed.
      #expect(try await places.outcome(Places.checkIn("ben", 2, stay: 600)) == "accepted t 2")
      #expect(try await places.test.drain() == 0)
      seen = try await first("his deadline", of: anns) {
        (try? $0.get().presences.first?.deadline) != nil
      }.get()
      #expect(seen.summary.presentCount == 1)

      try await places.stand(at: "2024-06-06 00:10:01")
      #expect(try await places.test.drain() == 0)
      seen = try await first("his absence", of: bens) { (try? $0.get().own?.isPresent) == false }
        .get()
      #expect(seen.presences.isEmpty && seen.own?.version == 3)

      try await places.call("leave_group('ben', 'g')")
      let end = try await first("the end", of: bens) { (try? $0.get()) == nil }
      #expect(end == .failure(.notAMember))
      var last: Result<PresenceSnapshot, AppError>?
      for await element in database.presences(for: "zoe").observe("g") { last = element }
      #expect(last == .failure(.notAMember))
    }
  }

  @Test func `members see what is written and taken back, and nobody else does`() async throws {
    try await with { places, database in
      let stream = database.chat(for: "ann").observeMessages(of: "g")
      var page = try await first("a page", of: stream) { _ in true }.get()
      #expect(page.isEmpty)
      let message = try await database.chat(for: "ben").send(
        MessageDraft(groupId: "g", text: "Hello"))
      page = try await first("the message", of: stream) { (try? $0.get().count) == 1 }.get()
      #expect(page == [message])
      try await database.chat(for: "ben").deleteMessage(message.id, groupId: "g")
      page = try await first("the deletion", of: stream) {
        (try? $0.get().first?.isDeleted) == true
      }.get()
      #expect(page.map(\.id) == [message.id])

      try await places.sql("update groups set is_public = false where id = 'g'")
      var last: Result<[Message], AppError>?
      for await element in database.chat(for: "zoe").observeMessages(of: "g") { last = element }
      #expect(last == .failure(.groupNotFound))
      for await element in database.chat(for: nil).observeMessages(of: "g") { last = element }
      #expect(last == .failure(.notAuthenticated))
    }
  }
}
