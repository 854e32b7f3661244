#if HTTP
  import Challenges
  import ChallengesApp
  import ChallengesHTTP
  import Foundation
  import ProductHTTP
  import Synchronization
  import TestSupport
  import Testing

  /// Follows the manual test list of the specification with two phones.
  ///
  /// The API and the worker are real processes. The API is killed and restarted in the middle.
  @Suite(.timeLimit(.minutes(5))) struct APIChecklistTests {
    /// The time within which a change must be visible on another phone.
    private static let visible = Duration.seconds(5) * patience
    /// The time within which a phone must get a board.
    private static let fetched = Duration.seconds(2) * patience

    @Test(.sampled())
    func `two phones follow the test list, and the API is killed and restarted meanwhile`()
      async throws
    {
      let place = try await APIPlace.own("checklist")
      let port = try Listener.unusedPort()
      let settings = ["BATON_API_HTTP": "127.0.0.1:\(port)"]
      let worker = try place.place.gymrats(as: "worker").start("worker")
      defer { worker.signal(SIGKILL) }
      let (server, _) = try await place.start(settings)
      defer { server.signal(SIGKILL) }
      let ana = try await Phone(named: "Ana", place, port)
      let group = try await found(by: ana)
      let ben = try await joined(from: ana, place, port)

      let screen = Screen()
      screen.follow(ana.repositories.leaderboards, of: group)
      defer { screen.close() }
      try await eventually("both boards without entries") { screen.values(of: ben) == [0, 0] }
      #expect(try await ben.sync.execute(entry: workout("first")) == .accepted)
      try await expectTime(below: Self.visible, "a workout until it is on the other phone") {
        try await eventually("both boards of the other phone", within: .seconds(5)) {
          screen.values(of: ben) == [1, 1]
        }
      }
      let cached = try await fetch(ana, group)
      #expect(!cached.isKept && cached.snapshot.entries.map(\.id) == [ben.user.id])
      try await withoutSharing(ben, place)

      // The phones are offline while the API is gone.
      server.signal(SIGKILL)
      _ = try await server.wait()
      try await eventually("the lost connection") { screen.isLost }
      let queue = try PendingSyncQueue(folder: ben.folder.url, userId: ben.user.id)
      #expect(try await queue.enqueue(workout("second"), privacy: PrivacySettings()) == .queued)
      #expect(await queue.processQueue(syncUseCase: ben.sync).stop == .networkUnavailable)
      #expect(try await fetch(ana, group).isKept)

      let (restarted, _) = try await place.start(settings)
      defer { restarted.signal(SIGKILL) }
      let finished = await queue.processQueue(syncUseCase: ben.sync).finished
      #expect(finished.map(\.end) == [.outcome(.accepted)])
      #expect(await queue.pending.isEmpty)
      try await eventually("the workout that was sent later", within: .seconds(5)) {
        screen.values(of: ben) == [2, 1]
      }
      await queue.close()

      try await end(group, ana, ben)
      restarted.signal(SIGTERM)
      #expect(try await restarted.wait(within: .seconds(10)).status == 0)
    }

    /// Creates a group, and tries to create another group.
    private func found(by ana: Phone) async throws -> Group {
      let create = CreateGroupUseCase(authentication: ana, groups: ana.repositories.groups)
      let group = try await create.execute(name: "Gym")
      await #expect(throws: DomainError.alreadyInGroup(groupId: group.id)) {
        try await create.execute(name: "Another")
      }
      return group
    }

    /// Opens an invite link on a phone without a user, signs in, and joins the group.
    private func joined(
      from ana: Phone, _ place: APIPlace, _ port: Int
    ) async throws -> Phone {
      let link = try await GenerateInviteLinkUseCase(
        authentication: ana, invites: ana.repositories.invites
      ).execute().link
      guard case .groupInvite(let code) = try DeepLink.parse(link.universalText).destination
      else { throw TestFailure("the link is not an invite: \(link.universalText)") }
      #expect(InviteStep.next(for: code, user: nil, hasSignedInForIt: false) == .signIn(code))
      let ben = try await Phone(named: "Ben", place, port)
      let user = try await ben.currentUser()
      #expect(InviteStep.next(for: code, user: user, hasSignedInForIt: true) == .join(code))
      let join = JoinGroupUseCase(authentication: ben, invites: ben.repositories.invites)
      let group = try await join.execute(code: code)
      #expect(group.memberCount == 2)
      #expect(try await ben.currentUser()?.currentGroupId == group.id)
      return ben
    }

    /// Completes a workout while sharing is off, which must not change the server.
    private func withoutSharing(_ ben: Phone, _ place: APIPlace) async throws {
      let users = ben.repositories.users
      try await users.updatePrivacySettings(
        userId: ben.user.id, settings: PrivacySettings(shareWorkoutData: false))
      #expect(try await ben.sync.execute(entry: workout("private")) == .ignoredPrivacy)
      // A phone with old settings sends the workout, and the server stores nothing.
      let answer = try await ben.repositories.workouts.recordWorkout(workout("private"))
      #expect(answer.outcome == .ignoredPrivacy)
      #expect(try await place.place.rows("select workout_id::text from workout") == ["first"])
      try await users.updatePrivacySettings(
        userId: ben.user.id, settings: PrivacySettings(shareWorkoutData: true))
    }

    private func fetch(
      _ ana: Phone, _ group: Group
    ) async throws -> FetchLeaderboardUseCase.Fetched {
      try await expectTime(below: Self.fetched, "the request of a board") {
        try await FetchLeaderboardUseCase(
          authentication: ana, leaderboards: ana.repositories.leaderboards, cache: ana.cache
        ).execute(groupId: group.id, type: .checkIns)
      }
    }

    /// Leaves and deletes the group, which clears the current group of the users.
    private func end(_ group: Group, _ ana: Phone, _ ben: Phone) async throws {
      let (groups, invites) = (ana.repositories.groups, ana.repositories.invites)
      try await LeaveGroupUseCase(authentication: ben, groups: ben.repositories.groups).execute()
      #expect(try await groups.getMembers(groupId: group.id).map(\.id) == [ana.user.id])
      #expect(try await ben.currentUser()?.currentGroupId == nil)
      let code = try await invites.createInvite(groupId: group.id).code
      _ = try await ben.repositories.invites.joinGroup(code)
      try await groups.deleteGroup(group.id)
      for phone in [ana, ben] {
        #expect(try await phone.currentUser()?.currentGroupId == nil)
      }
    }

    private func workout(_ id: String) -> WorkoutHistoryEntry {
      WorkoutHistoryEntry(id: id, performedAt: Date(), utcOffsetSeconds: 0)
    }
  }

  /// A phone on which a user has signed in with the token of an identity provider.
  private struct Phone: AuthenticationRepository {
    let user: SocialUser
    let repositories: ActorRepositories
    let folder: PhoneFolder
    let cache: SnapshotCache

    init(named name: String, _ place: APIPlace, _ port: Int) async throws {
      let address = try #require(URL(string: "http://127.0.0.1:\(port)"))
      let issuer = place.issuer
      let gymRats = ChallengesHTTP(
        ServerConnection(to: address, transport: AsyncHTTPTransport(), pause: .milliseconds(20)) {
          _ in try await issuer.token("checklist-\(name)")
        })
      user = try await gymRats.signIn(nonce: nil, displayName: name)
      repositories = gymRats.repositories(for: user.id)
      folder = try PhoneFolder()
      cache = SnapshotCache(folder: folder.url, userId: user.id)
    }

    var sync: SyncWorkoutCompletionUseCase {
      SyncWorkoutCompletionUseCase(authentication: self, workouts: repositories.workouts)
    }

    /// Returns the account from the server, or the account at the sign-in if the phone is offline.
    func currentUser() async throws -> SocialUser? {
      do {
        return try await repositories.users.getUser(user.id)
      } catch DomainError.networkUnavailable {
        return user
      }
    }

    func signInWithEmail(_ email: String, password: String) async throws -> SocialUser {
      throw AuthError.invalidCredential
    }

    func signOut() async throws {}
  }

  /// The folder of a phone's files, which is removed with the last reference.
  private final class PhoneFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "phone-\(UUID().uuidString)")

    init() throws {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }
  }

  /// The boards that a phone shows, which the streams of the API update.
  private final class Screen: Sendable {
    private let shown = Mutex<[ChallengeType: Result<LeaderboardSnapshot, DomainError>]>([:])
    private let tasks = Mutex<[Task<Void, Never>]>([])

    /// Follows both boards of a group.
    func follow(_ boards: any LeaderboardRepository, of group: Group) {
      for type in ChallengeType.allCases {
        let updates = boards.observeUpdates(groupId: group.id, type: type)
        let task = Task { [self] in
          for await update in updates { shown.withLock { $0[type] = update } }
        }
        tasks.withLock { $0.append(task) }
      }
    }

    /// The values of a user on both boards, or nil for a board that is not shown.
    func values(of phone: Phone) -> [Int?] {
      let boards = shown.withLock { $0 }
      return ChallengeType.allCases.map { type in
        guard case .success(let board) = boards[type] else { return nil }
        return board.entries.first { $0.id == phone.user.id }?.value ?? 0
      }
    }

    /// Whether the streams of both boards have reported that the network is unavailable.
    var isLost: Bool {
      let boards = shown.withLock { $0 }
      return ChallengeType.allCases.allSatisfy { boards[$0] == .failure(.networkUnavailable) }
    }

    func close() { for task in tasks.withLock({ $0 }) { task.cancel() } }
  }
#endif
