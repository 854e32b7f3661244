import BatonPostgres
import Challenges
import ChallengesPostgres
import ChallengesTesting
import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests that the repositories of PostgreSQL satisfy the contract of all repositories, with one
/// connection for each actor.
@Suite struct PostgresContractTests {
  @Test(.sampled(), arguments: RepositoryContract.checks)
  func `the repositories of PostgreSQL keep the contract`(check: ContractCheck) async throws {
    try await PostgresEnvironment.with { try await check.run(in: $0) }
  }

  @Test func `streams that nobody reads any more leave no polling behind`() async throws {
    try await PostgresEnvironment.with { environment in
      try await environment.addUser("ana", displayName: "Ana")
      let ana = try await environment.repositories(for: "ana")
      let group = try await ana.groups.createGroup(name: "Gym", ownerId: "ana")
      for _ in 0..<20 {
        let reader = Task {
          for await _ in ana.leaderboards.observeLeaderboard(groupId: group.id, type: .streak) {
            return true
          }
          return false
        }
        #expect(await reader.value)
        let cancelled = Task {
          for await _ in ana.leaderboards.observeUpdates(groupId: group.id, type: .checkIns) {}
        }
        cancelled.cancel()
        await cancelled.value
      }
      // A stream that still polled would open a new connection.
      await environment.closeRepositories()
      try await Task.sleep(for: .milliseconds(500))
      #expect(try await environment.gym.connectionsOfRepositories() == 0)
    }
  }

  @Test func `a stream survives the loss of its connection and shows the board again`() async throws
  {
    try await PostgresEnvironment.with { environment in
      try await environment.addUser("ana", displayName: "Ana")
      let ana = try await environment.repositories(for: "ana")
      let group = try await ana.groups.createGroup(name: "Gym", ownerId: "ana")
      var updates = ana.leaderboards.observeUpdates(groupId: group.id, type: .checkIns)
        .makeAsyncIterator()
      #expect(try await updates.next()?.get().entries == [])
      try await environment.gym.cutRepositories()
      // The failure is skipped if the board was displayed again before the failure was read.
      var next = await updates.next()
      if next == .failure(.networkUnavailable) { next = await updates.next() }
      #expect(try next?.get().entries == [])
    }
  }

  @Test func `a call on a lost connection says so, and the next one opens another`() async throws {
    try await PostgresEnvironment.with { environment in
      try await environment.addUser("ana", displayName: "Ana")
      let ana = try await environment.repositories(for: "ana")
      _ = try await ana.users.getUser("ana")
      try await environment.gym.cutRepositories()
      await #expect(throws: DomainError.networkUnavailable) { try await ana.users.getUser("ana") }
      #expect(try await ana.users.getUser("ana")?.id == "ana")
    }
  }

  @Test func `what the database says that the program does not know is an error`() async throws {
    try await PostgresEnvironment.with { environment in
      try await environment.addUser("ana", displayName: "Ana")
      try await environment.gym.run("alter type auth_provider add value 'carrier-pigeon'")
      try await environment.gym.run("update users set auth_provider = 'carrier-pigeon'")
      let ana = try await environment.repositories(for: "ana")
      await expectSQLState(.dataException) { try await ana.users.getUser("ana") }
    }
  }

  @Test func `what cannot be an id, a number or an instant is refused, not sent`() async throws {
    try await PostgresEnvironment.with { environment in
      try await environment.addUser("ana", displayName: "Ana")
      let ana = try await environment.repositories(for: "ana")
      await #expect(throws: DomainError.inviteInvalid) { try await ana.invites.revokeInvite("x") }
      await #expect(throws: DomainError.challengeNotFound) {
        try await ana.leaderboards.incrementCheckIn(challengeId: "x", userId: "ana")
      }
      await #expect(throws: DomainError.invalidInput) {
        try await ana.groups.createGroup(id: "a\0b", name: "Gym", ownerId: "ana")
      }
      for entry in [
        WorkoutHistoryEntry(id: "w", performedAt: .distantFuture),
        WorkoutHistoryEntry(id: "w", performedAt: nil, revision: .max),
        WorkoutHistoryEntry(id: "", performedAt: nil),
      ] {
        await #expect(throws: DomainError.invalidInput) {
          try await ana.workouts.recordWorkout(entry)
        }
      }
      try await ana.notifications.markAsRead(["x", "7"])
    }
  }
}

/// A real server for the contract.
///
/// Its domain time is the gym's clock.
final class PostgresEnvironment: ContractEnvironment {
  let gym: Gym
  /// The address that the actors' repositories use.
  private let address: String
  private let databases = Mutex<[ChallengesDatabase]>([])

  private init(_ gym: Gym, _ address: String) { (self.gym, self.address) = (gym, address) }

  static func with(_ body: (PostgresEnvironment) async throws -> Void) async throws {
    try await Gym.open(at: Self.text(of: RepositoryContract.beginning)) { gym in
      try await with(gym, gym.test.configuration.address, body)
    }
  }

  /// Calls the body with repositories whose actors log in with the role of an API, which may
  /// execute only its calls.
  ///
  /// The server itself uses the owner's role.
  static func asAPI(_ body: (PostgresEnvironment) async throws -> Void) async throws {
    try await withRoles(as: "api") { environment, _ in try await body(environment) }
  }

  /// Calls the body with the name of a database with roles, and with repositories that log in with
  /// the given kind of role, or as the superuser if `kind` is nil.
  static func withRoles(
    as kind: String? = nil,
    _ body: (PostgresEnvironment, _ database: String) async throws -> Void
  ) async throws {
    try await Gym.roles.withCopy { database in
      let superuser = try Gym.roles.configuration(in: database)
      let login = try Gym.roles.configuration(as: kind, in: database)
      try await TestSchema.with(Gym.roles.schema, at: superuser.address) { test in
        try await Gym.open(in: test, at: Self.text(of: RepositoryContract.beginning)) { gym in
          try await with(gym, login.address) { try await body($0, database) }
        }
      }
    }
  }

  private static func with(
    _ gym: Gym, _ address: String, _ body: (PostgresEnvironment) async throws -> Void
  ) async throws {
    let environment = PostgresEnvironment(gym, address)
    let result: Result<Void, any Error>
    do { result = .success(try await body(environment)) } catch { result = .failure(error) }
    await environment.closeRepositories()
    try result.get()
  }

  private static func text(of time: Date) throws -> String {
    guard let text = InstantText.text(of: time) else { throw TestFailure("\(time) has no text") }
    return text
  }

  func closeRepositories() async {
    for database in databases.withLock({ $0 }) { await database.close() }
  }

  private func connect(to address: String) -> ChallengesDatabase {
    let database = ChallengesDatabase(
      ConnectionConfiguration(address: address, applicationName: "repositories"),
      schema: gym.schema, live: .quick)
    databases.withLock { $0.append(database) }
    return database
  }

  func addUser(_ id: String, displayName: String) async throws {
    let insert = Statement(
      "test/account", "insert into users (id, display_name) values ($1, $2)")
    try await gym.connection.atomically(in: gym.schema, .run(insert, id, displayName))
  }

  func repositories(for actor: String?) async throws -> ActorRepositories {
    connect(to: address).repositories(for: actor)
  }

  var server: any ServerRepository { connect(to: gym.test.configuration.address).server }

  func now() async throws -> Date {
    let clock = Statement("test/clock", "select domain_now()")
    let now = Call.row(clock) { (row) throws(PostgresError) in try row.decode(Timestamp.self) }
    let time: Timestamp = try await gym.connection.atomically(in: gym.schema, now)
    return Date(timeIntervalSince1970: Double(time.microseconds) / 1_000_000)
  }

  func moveClock(to time: Date) async throws { try await gym.stand(at: try Self.text(of: time)) }

  /// Does the work of the jobs: closes ended weeks, ranks boards and notifies members.
  func settle() async throws {
    try await gym.close()
    try await gym.publishAndTell()
  }
}

extension Gym {
  /// Returns the number of connections from repositories to this test's database.
  func connectionsOfRepositories() async throws -> Int {
    try await lines(
      """
      select pid::text from pg_stat_activity
      where application_name = 'repositories' and datname = current_database()
      """
    ).count
  }

  /// Ends the connections of repositories.
  func cutRepositories() async throws {
    _ = try await lines(
      """
      select pg_terminate_backend(pid, 10000)::text from pg_stat_activity
      where application_name = 'repositories' and datname = current_database()
      """)
  }
}
