import BatonPostgres
import ChallengesSQL
import ChallengesTesting
import RunnerSQL
import TestSupport
import Testing

/// Tests all calls of a server with the login `PREFIX_api`.
///
/// If the login's role lacks a right, the test fails.
@Suite(.timeLimit(.minutes(5))) struct ChallengesApiLoginTests {
  @Test(.sampled(), arguments: Randomness.sample(8, of: RepositoryContract.checks))
  func `the API's role keeps the contract, with its streams`(check: ContractCheck) async throws {
    try await PostgresEnvironment.asAPI { try await check.run(in: $0) }
  }

  @Test func `the API's role may run every statement of the repositories and of the hub`()
    async throws
  {
    try await Gym.roles.withCopy { database in
      let refused = try await Gym.roles.refused(
        SQL.Api.all + [SQL.Live.observe, SQL.Live.stopObserving], as: "api", database: database)
      #expect(refused == ["api/add_member", "api/create_notification"])
    }
  }
}
