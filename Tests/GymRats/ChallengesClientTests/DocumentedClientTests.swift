import Challenges
import ChallengesApp
import ChallengesTesting
import Foundation
import Testing

/// Compiles and runs the examples of docs/gymrats/client.md and docs/gymrats/offline.md.
///
/// `QuoteTests` compare these pages with this file.
@Suite(.timeLimit(.minutes(5))) struct DocumentedClientTests {
  @Test func `a workout of the queue reaches the server, and its end is told`() async throws {
    let place = try Folder()
    let phone = await Phone("ana")
    let group = try await phone.createGroup.execute(name: "Gym")
    let user = try #require(try await phone.repositories.users.getUser("ana"))
    let (folder, workout, sync) = (place.url, phone.workout("w"), phone.sync)
    let connectivity = ManualConnectivity(isOnline: true)
    let (reports, told) = AsyncStream<SyncReport>.makeStream()
    let tell: @Sendable (SyncReport) -> Void = { told.yield($0) }
    let running = Task {
      let queue = try PendingSyncQueue(folder: folder, userId: user.id)
      try await queue.enqueue(workout, privacy: user.privacySettings)
      await queue.run(syncUseCase: sync, connectivity: connectivity) { report in tell(report) }

      await queue.close()
    }
    let report = await reports.first { !$0.finished.isEmpty }
    #expect(report?.finished.map(\.change.workout.id) == ["w"])
    #expect(report?.finished.map(\.end) == [.outcome(.accepted)])
    #expect(try await phone.values(group, .checkIns) == [1])
    running.cancel()
    try await running.value
  }

  @Test func `a server of memory has its own clock, and can be cut off`() async throws {
    let date = RepositoryContract.beginning

    let clock = ManualClock(at: date)
    let server = InMemoryChallenges { clock.now }
    await server.addUser("ana", displayName: "Ana")
    let ana = server.repositories(for: "ana")
    await server.setReachable(false)  // makes all devices offline

    await #expect(throws: DomainError.networkUnavailable) {
      _ = try await ana.users.getUser("ana")
    }
    await server.setReachable(true)
    #expect(try await ana.users.getUser("ana")?.createdAt == date)
  }

  @Test func `without a network, an app shows the stored board and keeps a workout`() async throws {
    let (place, phone) = (try Folder(), await Phone("ana"))
    let group = try await phone.createGroup.execute(name: "Gym")
    let ana = phone.repositories
    let user = try #require(try await ana.users.getUser("ana"))
    let caches = place.url

    let authentication = AppAuthentication(userId: user.id, users: ana.users)
    let sync = SyncWorkoutCompletionUseCase(authentication: authentication, workouts: ana.workouts)
    let cache = SnapshotCache(folder: caches, userId: user.id)
    let fetch = FetchLeaderboardUseCase(
      authentication: authentication, leaderboards: ana.leaderboards, cache: cache)

    for isOffline in [false, true] {
      await phone.server.setReachable(!isOffline)
      func show(_ board: LeaderboardSnapshot, isOld: Bool) {
        #expect(board.challenge.groupId == group.id && isOld == isOffline)
      }

      let fetched = try await fetch.execute(groupId: group.id, type: .checkIns)
      show(fetched.snapshot, isOld: fetched.isKept)
    }

    let queue = try PendingSyncQueue(folder: place.url, userId: user.id)
    let privacy = user.privacySettings
    await #expect(throws: PendingSyncError.invalid) {
      _ = try await queue.enqueue(WorkoutHistoryEntry(id: "v", performedAt: nil), privacy: privacy)
    }
    try await queue.enqueue(phone.workout("w"), privacy: privacy)
    #expect(await queue.processQueue(syncUseCase: sync).stop == .networkUnavailable)
    await phone.server.setReachable(true)
    #expect(
      await queue.processQueue(syncUseCase: sync).finished.map(\.end) == [.outcome(.accepted)])
  }

  @Test func `a session is refreshed if the server refuses the access token`() async throws {
    let session = AppSession(SessionTokens(accessToken: "a1", refreshToken: "r1")) { token in
      token == "r1" ? SessionTokens(accessToken: "a2", refreshToken: "r2") : nil
    }
    #expect(try await session.token(replacing: nil) == "a1")
    #expect(try await session.token(replacing: "a1") == "a2")
    // A call that was refused before the refresh gets the new token.
    #expect(try await session.token(replacing: "a1") == "a2")
    #expect(try await session.token(replacing: "a2") == nil)
    #expect(try await session.token(replacing: nil) == nil)
  }

  @Test func `the page lists each outcome of a workout, and each reason of the server`() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../..").standardized
    func text(_ path: String) throws -> String {
      try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }
    let rows = try text("docs/gymrats/offline.md").matches(of: /\n\| `(\w+)` \| (?:`(\w+)`)? ?\|/)
    let functions = try ["record_workout", "delete_workout"].map {
      try text("sql/challenges/functions/\($0).sql")
    }.joined()
    let reasons = functions.matches(of: /(?:'rejected', |reason := | then )'(\w+)'/)
      .map { String($0.1) }
    #expect(reasons.count > 10 && reasons.contains("weekClosed"))
    var listed: Set<String> = []
    for row in rows {
      let (name, reason) = (String(row.1), row.2.map(String.init))
      #expect(WorkoutOutcome(name: name, reason: reason) != nil, "\(row.0)")
      listed.formUnion([name, reason ?? name])
    }
    #expect(Set(reasons).subtracting(listed) == [])
  }
}

private struct AppAuthentication: AuthenticationRepository {
  let userId: String
  let users: any UserRepository

  func currentUser() async throws -> SocialUser? { try await users.getUser(userId) }

  func signInWithEmail(_ email: String, password: String) async throws -> SocialUser {
    throw AuthError.invalidCredential  // this app has no sign-in with a password
  }

  func signOut() async throws {}
}

private struct SessionTokens: Codable {
  let accessToken, refreshToken: String
}

private actor AppSession {
  private var tokens: SessionTokens?
  private let refresh: @Sendable (_ refreshToken: String) async throws -> SessionTokens?

  init(
    _ tokens: SessionTokens?,
    refresh: @escaping @Sendable (_ refreshToken: String) async throws -> SessionTokens?
  ) {
    self.tokens = tokens
    self.refresh = refresh
  }

  func token(replacing refused: String?) async throws -> String? {
    if let old = tokens, refused == old.accessToken {
      tokens = try await refresh(old.refreshToken)
    }
    return tokens?.accessToken
  }
}
