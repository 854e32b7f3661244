import Challenges
import ChallengesApp
import ChallengesTesting
import Foundation
import Testing

/// A phone with an in-memory server.
struct Phone: Sendable {
  let server: InMemoryChallenges
  let clock: ManualClock
  let userId: String
  let authentication: InMemoryAuthentication
  let repositories: ActorRepositories

  init(_ userId: String, server: InMemoryChallenges? = nil, clock: ManualClock) async {
    self.clock = clock
    self.userId = userId
    self.server = server ?? InMemoryChallenges { clock.now }
    await self.server.addUser(userId, displayName: userId)
    authentication = InMemoryAuthentication(server: self.server, signedInAs: userId)
    repositories = self.server.repositories(for: userId)
  }

  init(_ userId: String) async {
    await self.init(userId, clock: ManualClock(at: RepositoryContract.beginning))
  }

  var createGroup: CreateGroupUseCase {
    CreateGroupUseCase(authentication: authentication, groups: repositories.groups)
  }
  var joinGroup: JoinGroupUseCase {
    JoinGroupUseCase(authentication: authentication, invites: repositories.invites)
  }
  var leaveGroup: LeaveGroupUseCase {
    LeaveGroupUseCase(authentication: authentication, groups: repositories.groups)
  }
  var inviteLink: GenerateInviteLinkUseCase {
    GenerateInviteLinkUseCase(authentication: authentication, invites: repositories.invites)
  }
  var sync: SyncWorkoutCompletionUseCase {
    SyncWorkoutCompletionUseCase(
      authentication: authentication, workouts: repositories.workouts)
  }

  func share(_ isOn: Bool) async throws {
    try await repositories.users.updatePrivacySettings(
      userId: userId, settings: PrivacySettings(shareWorkoutData: isOn))
  }

  func workout(_ id: String) -> WorkoutHistoryEntry {
    WorkoutHistoryEntry(id: id, performedAt: clock.now, utcOffsetSeconds: 0)
  }

  func values(_ group: Group, _ type: ChallengeType) async throws -> [Int] {
    try await repositories.leaderboards.leaderboard(groupId: group.id, type: type).entries
      .map(\.value)
  }
}

/// The use cases that an app calls.
@Suite struct UseCaseTests {
  /// Counts calls to a server that responds.
  private actor Counting: WorkoutRepository {
    let behind: any WorkoutRepository
    private(set) var calls = 0

    init(_ behind: any WorkoutRepository) { self.behind = behind }

    func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer {
      calls += 1
      return try await behind.recordWorkout(entry)
    }

    func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer {
      calls += 1
      return try await behind.deleteWorkout(workoutId, revision: revision)
    }
  }

  @Test func `sharing off means that nothing leaves the phone`() async throws {
    let ana = await Phone("ana")
    _ = try await ana.createGroup.execute(name: "Gym")
    let counting = Counting(ana.repositories.workouts)
    let sync = SyncWorkoutCompletionUseCase(
      authentication: ana.authentication, workouts: counting)
    try await ana.share(false)
    #expect(try await sync.execute(entry: ana.workout("w")) == .ignoredPrivacy)
    #expect(await counting.calls == 0)
    ana.clock.advance(by: 1)
    try await ana.share(true)
    #expect(try await sync.execute(entry: ana.workout("v")) == .accepted)
    #expect(await counting.calls == 1)
    // A user may revoke sharing at any time.
    try await ana.share(false)
    #expect(try await sync.delete(workoutId: "v", revision: 1) == .accepted)
  }

  @Test func `one workout is one call, and both boards follow`() async throws {
    let ana = await Phone("ana")
    let group = try await ana.createGroup.execute(name: "Gym")
    let counting = Counting(ana.repositories.workouts)
    let sync = SyncWorkoutCompletionUseCase(
      authentication: ana.authentication, workouts: counting)
    for day in 0..<3 {
      ana.clock.move(to: RepositoryContract.beginning.addingTimeInterval(Double(day) * 86_400))
      #expect(try await sync.execute(entry: ana.workout("w\(day)")) == .accepted)
    }
    #expect(await counting.calls == 3)
    #expect(try await ana.values(group, .checkIns) == [3])
    #expect(try await ana.values(group, .streak) == [3])
  }

  @Test func `a workout of somebody else is not sent in this user's name`() async throws {
    let ana = await Phone("ana")
    await #expect(throws: DomainError.notAuthenticated) {
      try await ana.sync.execute(entry: ana.workout("w"), of: "ben")
    }
    try await ana.authentication.signOut()
    await #expect(throws: DomainError.notAuthenticated) {
      try await ana.sync.execute(entry: ana.workout("w"))
    }
  }

  @Test func `one group a user, for whoever is signed in, with a name`() async throws {
    let ana = await Phone("ana")
    let id = UUID()
    let group = try await ana.createGroup.execute(name: " Gym \n", id: id)
    #expect(group.name == "Gym")
    // The first response may have been lost.
    #expect(try await ana.createGroup.execute(name: "Gym", id: id) == group)
    await #expect(throws: DomainError.alreadyInGroup(groupId: group.id)) {
      try await ana.createGroup.execute(name: "Other")
    }
    let ben = await Phone("ben")
    for name in ["", " \n ", String(repeating: "x", count: 101)] {
      await #expect(throws: DomainError.invalidInput) {
        try await ben.createGroup.execute(name: name)
      }
    }
    try await ben.authentication.signOut()
    await #expect(throws: DomainError.notAuthenticated) {
      try await ben.createGroup.execute(name: "Gym")
    }
  }

  @Test func `invite, link, join, leave`() async throws {
    let ana = await Phone("ana")
    await #expect(throws: DomainError.notAMember) { try await ana.inviteLink.execute() }
    await #expect(throws: DomainError.notAMember) { try await ana.leaveGroup.execute() }
    let group = try await ana.createGroup.execute(name: "Gym")
    let link = try await ana.inviteLink.execute().link
    let read = try DeepLink.parse(link.universalText)
    guard case .groupInvite(let code) = read.destination else { return }
    let ben = await Phone("ben", server: ana.server, clock: ana.clock)
    #expect(try await ben.joinGroup.execute(code: code).id == group.id)
    #expect(try await ben.authentication.currentUser()?.currentGroupId == group.id)
    try await ben.leaveGroup.execute()
    #expect(try await ben.authentication.currentUser()?.currentGroupId == nil)
    #expect(
      try await ana.repositories.groups.getMembers(groupId: group.id).map(\.id) == ["ana"])
    try await ben.authentication.signOut()
    await #expect(throws: DomainError.notAuthenticated) {
      try await ben.joinGroup.execute(code: code)
    }
  }

  @Test func `a board is the server's, without a network the last one, and nobody else's`()
    async throws
  {
    let folder = try Folder()
    let ana = await Phone("ana")
    let group = try await ana.createGroup.execute(name: "Gym")
    let fetch = FetchLeaderboardUseCase(
      authentication: ana.authentication, leaderboards: ana.repositories.leaderboards,
      cache: SnapshotCache(folder: folder.url, userId: "ana"))
    await ana.server.setReachable(false)
    await #expect(throws: DomainError.networkUnavailable) {
      try await fetch.execute(groupId: group.id, type: .checkIns)
    }
    await ana.server.setReachable(true)
    let first = try await fetch.execute(groupId: group.id, type: .checkIns)
    #expect(!first.isKept)
    await ana.server.setReachable(false)
    ana.clock.advance(by: 90)
    let kept = try await fetch.execute(groupId: group.id, type: .checkIns)
    #expect(kept.isKept && kept.snapshot == first.snapshot)
    #expect(kept.snapshot.age(at: ana.clock.now) == .seconds(90))
    await ana.server.setReachable(true)
    try await ana.leaveGroup.execute()
    await #expect(throws: DomainError.groupNotFound) {
      try await fetch.execute(groupId: group.id, type: .checkIns)
    }
    await ana.server.setReachable(false)
    await #expect(throws: DomainError.networkUnavailable) {
      try await fetch.execute(groupId: group.id, type: .checkIns)
    }
  }
}
