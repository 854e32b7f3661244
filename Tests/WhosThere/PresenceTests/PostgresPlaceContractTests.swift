import Presence
import PresenceTesting
import TestSupport
import Testing

/// Tests that the repositories of PostgreSQL satisfy the contract of all servers.
@Suite(.timeLimit(.minutes(5)), .bothWaysAtFullSize) struct PostgresPlaceContractTests {
  @Test(.sampled(), arguments: PresenceContract.achievements + PresenceContract.watch)
  func `PostgreSQL keeps the promises of achievements and the watch`(
    promise: Promise<any PlaceEnvironment>
  ) async throws {
    try await PostgresEnvironment.with { try await promise.check(in: $0) }
  }

  @Test(
    .sampled(),
    arguments: PresenceContract.presences + PresenceContract.streams + PresenceContract.safety)
  func `PostgreSQL keeps the promises of presence`(
    promise: Promise<any PresenceEnvironment>
  ) async throws {
    try await PostgresEnvironment.with { try await promise.check(in: $0) }
  }
}
