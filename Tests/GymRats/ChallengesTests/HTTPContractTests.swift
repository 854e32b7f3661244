#if HTTP
  import BatonPostgres
  import Challenges
  import ChallengesHTTP
  import ChallengesTesting
  import Foundation
  import ProductHTTP
  import Synchronization
  import TestSupport
  import Testing

  /// Tests that the repositories over HTTP satisfy the contract of all repositories, with a process
  /// of `gymrats api` for each check.
  @Suite(.timeLimit(.minutes(10))) struct HTTPContractTests {
    @Test(.sampled(), arguments: Randomness.sample(6, of: RepositoryContract.checks))
    func `the repositories over HTTP keep the contract`(check: ContractCheck) async throws {
      try await HTTPEnvironment.with { try await check.run(in: $0) }
    }

    @Test(.sampled()) func `what cannot be an id, a number or an instant is refused`() async throws
    {
      try await HTTPEnvironment.with { environment in
        try await environment.addUser("ana", displayName: "Ana")
        let ana = try await environment.repositories(for: "ana")
        await #expect(throws: DomainError.inviteInvalid) { try await ana.invites.revokeInvite("x") }
        await #expect(throws: DomainError.challengeNotFound) {
          try await ana.leaderboards.incrementCheckIn(challengeId: "../x", userId: "ana")
        }
        for id in ["a\0b", "", "a b", "a\r\nX: y", String(repeating: "x", count: 257)] {
          await #expect(throws: DomainError.invalidInput) {
            try await ana.groups.createGroup(id: id, name: "Gym", ownerId: "ana")
          }
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
        // An id may contain any characters that a path must encode.
        for id in ["a/b?c#d", "..", "ä %2F"] {
          let workout = WorkoutHistoryEntry(id: id, performedAt: nil)
          #expect(try await ana.workouts.recordWorkout(workout).outcome == .noActiveGroup)
        }
        try await ana.notifications.markAsRead(["x", "7", ""])
      }
    }

    @Test(.sampled())
    func `the badge is followed from the first number to the last read notification`()
      async throws
    {
      try await HTTPEnvironment.with { environment in
        for user in ["ana", "ben"] { try await environment.addUser(user, displayName: user) }
        let token = try await environment.api.issuer.token("ana")
        let gymRats = ChallengesHTTP(environment.connection { _ in token })
        var badge = gymRats.observeBadge(for: "ana").makeAsyncIterator()
        #expect(await badge.next() == .success(0))
        let ana = gymRats.repositories(for: "ana")
        let ben = try await environment.repositories(for: "ben")
        let group = try await ana.groups.createGroup(name: "Gym", ownerId: "ana")
        let invite = try await ana.invites.createInvite(groupId: group.id)
        _ = try await ben.invites.joinGroup(invite.code)
        #expect(await badge.next() == .success(1))
        let ids = try await ana.notifications.fetchNotifications(after: nil, limit: 5).map(\.id)
        try await ana.notifications.markAsRead(ids)
        #expect(await badge.next() == .success(0))
      }
    }

    @Test func `a token that the server refuses is replaced once`() async throws {
      try await HTTPEnvironment.with { environment in
        try await environment.addUser("ana", displayName: "Ana")
        let good = try await environment.api.issuer.token("ana")
        let asked = Mutex<[String?]>([])
        let changing = ChallengesHTTP(
          environment.connection { refused in
            asked.withLock { $0.append(refused) }
            return refused == nil ? "old" : good
          }
        ).repositories(for: "ana")
        #expect(try await changing.users.getUser("ana")?.id == "ana")
        #expect(asked.withLock { $0 } == [nil, "old"])

        asked.withLock { $0 = [] }
        let refused = ChallengesHTTP(
          environment.connection { refused in
            asked.withLock { $0.append(refused) }
            return "old"
          }
        ).repositories(for: "ana")
        await #expect(throws: DomainError.notAuthenticated) {
          _ = try await refused.users.getUser("ana")
        }
        #expect(asked.withLock { $0 } == [nil, "old"])
      }
    }

    @Test(.sampled()) func `a call of a user is not executed for another user who has signed in`()
      async throws
    {
      try await HTTPEnvironment.with { environment in
        // An id may contain any characters that a header must encode.
        let users = ["ana \u{e9}|%41", "ben"]
        for user in users { try await environment.addUser(user, displayName: "First") }
        let tokens = try await [
          environment.api.issuer.token(users[0]), environment.api.issuer.token(users[1]),
        ]
        // Ben has signed in before the call, or after the server has refused a token of Ana.
        for first in [tokens[1], "old"] {
          let refusals = Mutex<Set<String>>([])
          let other = ChallengesHTTP(
            environment.connection { refused in
              if let refused { refusals.withLock { _ = $0.insert(refused) } }
              return refused == nil ? first : tokens[1]
            })
          let ana = other.repositories(for: users[0])
          await #expect(throws: DomainError.notAuthenticated) {
            try await ana.users.updateProfile(
              userId: users[0], displayName: "Second", photoURL: nil)
          }
          var badge = other.observeBadge(for: users[0]).makeAsyncIterator()
          #expect(await badge.next() == .failure(.notAuthenticated))
          #expect(await badge.next() == nil)
          // A valid token of another user is not replaced.
          let expected: Set<String> = first == "old" ? ["old"] : []
          #expect(refusals.withLock { $0 } == expected)
        }
        for (user, token) in zip(users, tokens) {
          let calls = ChallengesHTTP(environment.connection { _ in token }).repositories(for: user)
          #expect(try await calls.users.getUser(user)?.displayName == "First")
        }
      }
    }

    @Test(.sampled())
    func `a server that is gone is no network, and a stream goes on when it is back`()
      async throws
    {
      try await HTTPEnvironment.with { environment in
        try await environment.addUser("ana", displayName: "Ana")
        let ana = try await environment.repositories(for: "ana")
        let group = try await ana.groups.createGroup(name: "Gym", ownerId: "ana")
        var updates = ana.leaderboards.observeUpdates(groupId: group.id, type: .checkIns)
          .makeAsyncIterator()
        #expect(try await updates.next()?.get().entries == [])
        environment.api.process.signal(SIGSTOP)
        let hasty = ChallengesHTTP(
          ServerConnection(
            to: environment.api.address, transport: AsyncHTTPTransport(),
            timeout: .milliseconds(50)
          ) { [issuer = environment.api.issuer] _ in try await issuer.token("ana") }
        ).repositories(for: "ana")
        await #expect(throws: DomainError.networkUnavailable) {
          _ = try await hasty.users.getUser("ana")
        }
        environment.api.process.signal(SIGCONT)
        #expect(try await ana.users.getUser("ana")?.id == "ana")
        environment.api.process.signal(SIGKILL)
        _ = try await environment.api.process.wait()
        #expect(await updates.next() == .failure(.networkUnavailable))
        await #expect(throws: DomainError.networkUnavailable) {
          _ = try await ana.users.getUser("ana")
        }
      }
    }
  }

  /// A real server with its HTTP API for the contract.
  ///
  /// The clock and the jobs are those of the environment of PostgreSQL.
  struct HTTPEnvironment: ContractEnvironment {
    let direct: PostgresEnvironment
    let api: APIProcess

    static func with(_ body: (HTTPEnvironment) async throws -> Void) async throws {
      try await PostgresEnvironment.withRoles { direct, database in
        let key = try await direct.gym.connection.atomically(in: direct.gym.schema, .rotateKey)
        try await APIProcess.with("gymrats", Gym.roles, database: database, key: key) {
          try await body(HTTPEnvironment(direct: direct, api: $0))
        }
      }
    }

    func connection(tokens: @escaping TokenProvider) -> ServerConnection {
      ServerConnection(
        to: api.address, transport: AsyncHTTPTransport(), pause: .milliseconds(20),
        tokens: tokens)
    }

    func addUser(_ id: String, displayName: String) async throws {
      try await direct.addUser(id, displayName: displayName)
    }

    func repositories(for actor: String?) async throws -> ActorRepositories {
      let token = try await actor.mapped { try await api.issuer.token($0) }
      return ChallengesHTTP(connection { _ in token }).repositories(for: actor)
    }

    var server: any ServerRepository { direct.server }

    func now() async throws -> Date { try await direct.now() }

    func moveClock(to time: Date) async throws { try await direct.moveClock(to: time) }

    func settle() async throws { try await direct.settle() }
  }

  extension Optional {
    fileprivate func mapped<T>(_ body: (Wrapped) async throws -> T) async throws -> T? {
      guard let self else { return nil }
      return try await body(self)
    }
  }
#endif
