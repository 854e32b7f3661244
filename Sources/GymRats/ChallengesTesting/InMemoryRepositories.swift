public import Challenges
import Foundation

extension InMemoryChallenges {
  /// Returns one actor's repositories.
  ///
  /// If the actor is nil, the method returns the repositories for a phone on which no user is
  /// signed in.
  public nonisolated func repositories(for actor: String?) -> ActorRepositories {
    let repository = InMemoryRepository(server: self, actor: actor)
    return ActorRepositories(
      users: repository, groups: repository, invites: repository, workouts: repository,
      leaderboards: repository, notifications: repository, analytics: repository,
      safety: repository)
  }

  /// The repository for the calls that only the server can make.
  public nonisolated var serverRepository: any ServerRepository {
    InMemoryServerRepository(server: self)
  }
}

private struct InMemoryRepository: Sendable {
  let server: InMemoryChallenges
  let actor: String?
}

extension InMemoryRepository: UserRepository {
  func getUser(_ userId: String) async throws -> SocialUser? {
    let user = try await server.signedIn(actor)
    return user.id == userId ? user : nil
  }

  func updateCurrentGroup(userId: String, groupId: String?) async throws {
    try await server.updateCurrentGroup(actor, userId, groupId)
  }

  func updatePrivacySettings(userId: String, settings: PrivacySettings) async throws {
    try await server.updatePrivacySettings(actor, userId, settings)
  }

  func updateProfile(userId: String, displayName: String, photoURL: URL?) async throws {
    try await server.updateProfile(actor, userId, displayName, photoURL)
  }

  func deleteAccount(_ userId: String) async throws {
    try await server.deleteAccount(actor, userId)
  }
}

extension InMemoryRepository: GroupRepository {
  func createGroup(id: String, name: String, ownerId: String) async throws -> Group {
    try await server.createGroup(actor, id, name, ownerId)
  }

  func updateGroup(_ groupId: String, name: String) async throws -> Group {
    try await server.updateGroup(actor, groupId, name)
  }

  func getGroup(_ groupId: String) async throws -> Group? {
    try await server.getGroup(actor, groupId)
  }

  func removeMember(groupId: String, userId: String) async throws {
    try await server.removeMember(actor, groupId, userId)
  }

  func leaveGroup(groupId: String, userId: String) async throws {
    try await server.leaveGroup(actor, groupId, userId)
  }

  func deleteGroup(_ groupId: String) async throws {
    try await server.deleteGroup(actor, groupId)
  }

  func getMembers(groupId: String) async throws -> [GroupMember] {
    try await server.getMembers(actor, groupId)
  }

  func promote(groupId: String, userId: String) async throws {
    try await server.promote(actor, groupId, userId)
  }

  func muteGroup(_ groupId: String, isMuted: Bool) async throws {
    try await server.muteGroup(actor, groupId)
  }
}

extension InMemoryRepository: InviteRepository {
  func createInvite(groupId: String, code: InviteCode) async throws -> Invite {
    try await server.createInvite(actor, groupId, code)
  }

  func listInvites(groupId: String) async throws -> [ListedInvite] {
    try await server.listInvites(actor, groupId)
  }

  func revokeInvite(_ inviteId: String) async throws {
    try await server.revokeInvite(actor, inviteId)
  }

  func previewInvite(_ code: InviteCode) async throws -> InvitePreview {
    try await server.previewInvite(actor, code)
  }

  func joinGroup(_ code: InviteCode) async throws -> Group {
    try await server.joinGroup(actor, code)
  }
}

extension InMemoryRepository: WorkoutRepository {
  func recordWorkout(_ entry: WorkoutHistoryEntry) async throws -> WorkoutAnswer {
    try await server.recordWorkout(actor, entry)
  }

  func deleteWorkout(_ workoutId: String, revision: Int) async throws -> WorkoutAnswer {
    try await server.deleteWorkout(actor, workoutId, revision)
  }
}

extension InMemoryRepository: LeaderboardRepository {
  func getCurrentWeekChallenges(groupId: String) async throws -> [Challenge] {
    try await server.currentWeekChallenges(actor, groupId)
  }

  func leaderboard(groupId: String, type: ChallengeType) async throws -> LeaderboardSnapshot {
    await server.refresh()
    return try await server.snapshot(actor, groupId, type)
  }

  func observeUpdates(
    groupId: String, type: ChallengeType
  ) -> AsyncStream<Result<LeaderboardSnapshot, DomainError>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      Task { await server.observe(actor, groupId, type, continuation) }
    }
  }

  func entries(of challengeId: String) async throws -> [LeaderboardEntry] {
    await server.refresh()
    return try await server.entries(actor, challengeId)
  }

  func incrementCheckIn(
    challengeId: String, userId: String, key: String?
  ) async throws -> WorkoutAnswer {
    try await server.incrementCheckIn(actor, challengeId, userId, key)
  }

  func updateStreak(
    challengeId: String, userId: String, streakDays: Int
  ) async throws -> WorkoutAnswer {
    try await server.updateStreak(actor, challengeId, userId, streakDays)
  }
}

extension InMemoryRepository: NotificationRepository {
  func fetchNotifications(
    after last: GroupNotification?, limit: Int
  ) async throws -> [GroupNotification] {
    try await server.fetchNotifications(actor, last, limit)
  }

  func badgeCount() async throws -> Int { try await server.badgeCount(actor) }

  func markAsRead(_ notificationIds: [String]) async throws {
    try await server.markAsRead(actor, notificationIds)
  }
}

extension InMemoryRepository: AnalyticsRepository {
  func report(_ event: ClientEvent) async throws -> Bool { try await server.report(actor, event) }

  func isBeta() async throws -> Bool { try await server.isBeta(actor) }
}

extension InMemoryRepository: SafetyRepository {
  func block(userId: String) async throws { try await server.block(actor, userId) }

  func unblock(userId: String) async throws { try await server.unblock(actor, userId) }

  func blockedUsers() async throws -> [BlockedUser] { try await server.blockedUsers(actor) }

  func report(_ report: UserReport) async throws { try await server.report(actor, report) }
}

private struct InMemoryServerRepository: ServerRepository {
  let server: InMemoryChallenges

  func addMember(
    groupId: String, userId: String, displayName: String, photoURL: URL?
  ) async throws {
    try await server.addMember(groupId, userId, displayName, photoURL)
  }

  func createNotification(_ notification: GroupNotification) async throws {
    try await server.createNotification(notification)
  }
}
