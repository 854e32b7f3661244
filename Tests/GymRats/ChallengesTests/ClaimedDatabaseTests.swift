import BatonIdentity
import BatonLive
import BatonPostgres
import Challenges
import ChallengesPostgres
import TestSupport
import Testing

/// Tests the repositories with a login that may only become users, as in docs/reference/roles.md.
@Suite(.timeLimit(.minutes(5))) struct ClaimedDatabaseTests {
  private struct NoKey: Error {}

  /// Opens the database of the page, and returns the group that it reads.
  private func open(
    _ gym: RoleGym, as user: String
  ) async throws -> (ChallengesDatabase, Group?) {
    let schema = gym.schema
    let key = gym.key ?? ClaimKey(id: 1, text: "")
    let authenticator = ConnectionConfiguration(
      address: try RoleServer.address(of: gym.role("authenticator")))
    let api = ConnectionConfiguration(address: try RoleServer.address(of: gym.role("api")))

    guard let signer = IdentitySigner(keyID: key.id, key: key.text) else { throw NoKey() }
    let database = ChallengesDatabase(
      authenticator, schema: schema, streams: api,
      identity: { user in .user(user, role: "\(schema)_user", signer: signer) })
    let group = try await database.repositories(for: "ann").groups.getGroup("g")

    return (database, group)
  }

  @Test
  func `every call is its user's, a stream is the server's, and what is for servers is refused`()
    async throws
  {
    let gym = try await RoleGym.made(signed: true)
    let (database, group) = try await open(gym, as: "ann")
    #expect(group?.name == "Gym")
    for user in ["ann", "ben", "cem"] {
      let repositories = database.repositories(for: user)
      let found = try await repositories.users.getUser(user)
      #expect(found?.id == user)
    }
    var updates = database.repositories(for: "ben").leaderboards
      .observeUpdates(groupId: "g", type: .checkIns).makeAsyncIterator()
    let snapshot = try await updates.next()?.get()
    #expect(snapshot != nil)
    var refusals = database.repositories(for: "cem").leaderboards
      .observeUpdates(groupId: "g", type: .checkIns).makeAsyncIterator()
    #expect(await refusals.next() == .failure(.notAMember))
    let error = await #expect(throws: PostgresError.self) {
      try await database.server.addMember(
        groupId: "g", userId: "cem", displayName: "Cem", photoURL: nil)
    }
    // The login itself cannot even see the schema.
    #expect(error?.sqlState.code == "42883")
    await database.close()
  }
}
