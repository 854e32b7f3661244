#if HTTP
  import BatonPostgres
  import Foundation
  import JobTesting
  import Presence
  import PresenceHTTP
  import PresencePostgres
  import PresenceTesting
  import ProductHTTP
  import TestSupport
  import Testing

  @testable import WhosThere

  /// Tests that the repositories over HTTP satisfy the contract of all servers, with a process of
  /// `whosthere api` for each check.
  @Suite(.timeLimit(.minutes(10))) struct HTTPContractTests {
    @Test(
      .sampled(),
      arguments: Randomness.sample(2, of: PresenceContract.achievements + PresenceContract.watch))
    func `the repositories over HTTP keep the promises of achievements and the watch`(
      promise: Promise<any PlaceEnvironment>
    ) async throws {
      try await HTTPEnvironment.with { try await promise.check(in: $0) }
    }

    @Test(
      .sampled(),
      .sampled(),
      arguments: Randomness.sample(2, of: PresenceContract.presences) + PresenceContract.streams
        + PresenceContract.safety)
    func `the repositories over HTTP keep the promises of presence`(
      promise: Promise<any PresenceEnvironment>
    ) async throws {
      try await HTTPEnvironment.with { try await promise.check(in: $0) }
    }

    @Test(.sampled(), arguments: Randomness.sample(2, of: ChatContract.checks))
    func `the repositories over HTTP keep the promises of chat`(
      promise: Promise<any ChatEnvironment>
    ) async throws {
      try await HTTPEnvironment.with { try await promise.check(in: $0) }
    }

    @Test func `a device signs in and out, and ends the sessions of all devices`() async throws {
      try await HTTPEnvironment.with { environment in
        let (phone, tablet) = (MemorySession(), MemorySession())
        let (ana, other) = (environment.device(phone).auth, environment.device(tablet).auth)
        let secret = Credential.anonymous(secret: Credential.newSecret())
        #expect(try await ana.currentUser() == nil)
        await #expect(throws: AppError.notAuthenticated) { _ = try await ana.link(secret) }
        let user = try await ana.signIn(secret)
        #expect(user.isAnonymous && user.asksForName)
        #expect(try await other.signIn(secret).id == user.id)
        #expect(try await ana.currentUser() == user)
        let users = environment.device(phone).repositories(for: user.id).users
        var named = user
        named.displayName = "Ana"
        #expect(try await users.updateUser(named).displayName == "Ana")

        let kept = MemorySession(await tablet.token())
        try await ana.signOut()
        #expect(await phone.token() == nil)
        #expect(try await ana.currentUser() == nil)
        try await other.signOutEverywhere()
        let third = environment.device(kept).auth
        await #expect(throws: AppError.sessionExpired) { _ = try await third.currentUser() }
        try await third.signOut()
        #expect(await kept.token() == nil)
      }
    }

    @Test func `a call of a user is not executed for another user who has signed in`()
      async throws
    {
      try await HTTPEnvironment.with { environment in
        let phone = MemorySession()
        let device = environment.device(phone)
        let ana = try await device.auth.signIn(.anonymous(secret: Credential.newSecret()))
        let ben = try await device.auth.signIn(.anonymous(secret: Credential.newSecret()))
        let calls = device.repositories(for: ana.id)
        var named = ana
        named.displayName = "Ana"
        await #expect(throws: AppError.notAuthenticated) {
          _ = try await calls.users.updateUser(named)
        }
        var messages = calls.chat.observeMessages(of: "g").makeAsyncIterator()
        #expect(await messages.next() == .failure(.notAuthenticated))
        #expect(await messages.next() == nil)
        #expect(try await device.repositories(for: ben.id).users.getUser(ben.id) == ben)
      }
    }

    @Test(.sampled())
    func `pages of public groups contain each group once, and a chat's stream each message`()
      async throws
    {
      try await HTTPEnvironment.with { environment in
        try await environment.addUser("ana")
        let groups = try await environment.groups(for: "ana")
        let center = try Coordinate(latitude: 52.5, longitude: 13.4)
        for number in 1...5 {
          _ = try await groups.createGroup(
            id: "g\(number)", name: "Group ä\(number)", shape: .circle(center: center, radius: 100),
            isPublic: true, timeZone: "Europe/Berlin")
        }
        var (seen, page) = ([String](), try await groups.publicGroups(after: nil, limit: 2))
        while !page.isEmpty {
          seen += page.map(\.id)
          page = try await groups.publicGroups(after: page.last, limit: 2)
        }
        #expect(seen == ["g1", "g2", "g3", "g4", "g5"])

        let chat = try await environment.chat(for: "ana")
        var pages = chat.observeMessages(of: "g1").makeAsyncIterator()
        #expect(try await pages.next()?.get() == [])
        let sent = try await chat.send(MessageDraft(groupId: "g1", text: "Hello"))
        #expect(try await pages.next()?.get() == [sent])
        try await groups.leaveGroup("g1")
        // The group ended with its last member.
        #expect(await pages.next() == .failure(.groupNotFound))
        #expect(await pages.next() == nil)
      }
    }
  }

  /// A real server with its HTTP API for the contract.
  ///
  /// The clock and the jobs are those of the environment of PostgreSQL.
  struct HTTPEnvironment: PresenceEnvironment, ChatEnvironment {
    let direct: PostgresEnvironment
    let api: APIProcess
    private let sessions = Sessions()

    init(direct: PostgresEnvironment, api: APIProcess) { (self.direct, self.api) = (direct, api) }

    static func with(_ body: (HTTPEnvironment) async throws -> Void) async throws {
      try await Places.roles.withCopy { database in
        let superuser = try Places.roles.configuration(in: database)
        let schema = Places.roles.schema
        let key = try await RoleServer.with(try await RoleServer.connect(in: database)) {
          try await $0.atomically(in: schema, .rotateKey)
        }
        try await JobTest.run(WhosThere.jobs, in: schema, at: superuser.address) { test in
          let presence = PresenceDatabase(superuser, schema: schema)
          let direct = PostgresEnvironment(places: Places(test: test), database: presence)
          try await direct.moveClock(to: PresenceContract.beginning)
          let result: Result<Void, any Error>
          do {
            try await APIProcess.with(
              "whosthere", Places.roles, database: database, key: key, hasIssuer: false
            ) { try await body(HTTPEnvironment(direct: direct, api: $0)) }
            result = .success(())
          } catch {
            result = .failure(error)
          }
          await presence.close()
          try result.get()
        }
      }
    }

    /// Returns the API for a device with the given store.
    func device(_ session: MemorySession) -> PresenceHTTP {
      PresenceHTTP(
        to: api.address, transport: AsyncHTTPTransport(), session: session, device: "phone",
        pause: .milliseconds(20))
    }

    private func repositories(for actor: String?) async throws -> ActorRepositories {
      var token: String?
      if let actor { token = await sessions.token(of: actor, direct.database.accounts) }
      return device(MemorySession(token)).repositories(for: actor)
    }

    func addUser(_ id: String) async throws { try await direct.addUser(id) }

    func groups(for actor: String?) async throws -> any GroupRepository {
      try await repositories(for: actor).groups
    }

    func users(for actor: String?) async throws -> any UserRepository {
      try await repositories(for: actor).users
    }

    func presences(for actor: String?) async throws -> any PresenceRepository {
      try await repositories(for: actor).presences
    }

    func chat(for actor: String?) async throws -> any ChatRepository {
      try await repositories(for: actor).chat
    }

    func achievements(for actor: String?) async throws -> any AchievementRepository {
      try await repositories(for: actor).achievements
    }

    func watch(for actor: String?) async throws -> any WatchRepository {
      try await repositories(for: actor).watch
    }

    func safety(for actor: String?) async throws -> any SafetyRepository {
      try await repositories(for: actor).safety
    }

    func now() async throws -> Date { try await direct.now() }
    func moveClock(to time: Date) async throws { try await direct.moveClock(to: time) }
    func settle() async throws { try await direct.settle() }
  }

  /// One session of each user.
  private actor Sessions {
    private var tokens: [String: String] = [:]

    /// Returns the token of a user's session, or nil if the user has no account.
    func token(of user: String, _ accounts: PresenceAccounts) async -> String? {
      if let token = tokens[user] { return token }
      let session = try? await accounts.beginSession(of: user, on: "phone")
      tokens[user] = session?.token
      return session?.token
    }
  }
#endif
