public import Presence

extension InMemoryPresence {
  /// Returns all of one actor's repositories.
  ///
  /// If the actor is nil, the method returns the repositories for a device on which no user is
  /// signed in.
  ///
  /// - Parameter device: The device on which the actor signed in.
  public nonisolated func repositories(
    for actor: String?, on device: InMemoryAuth
  ) -> ActorRepositories {
    ActorRepositories(
      auth: device, users: users(for: actor), groups: groups(for: actor),
      presences: presences(for: actor), chat: chat(for: actor),
      achievements: achievements(for: actor), watch: watch(for: actor),
      safety: safety(for: actor))
  }

  /// Returns the repository for the presences that one actor may read and change.
  public nonisolated func presences(for actor: String?) -> any PresenceRepository {
    InMemoryRepository(server: self, actor: actor)
  }

  /// Returns the repository for one actor's statistics and achievements.
  public nonisolated func achievements(for actor: String?) -> any AchievementRepository {
    InMemoryRepository(server: self, actor: actor)
  }

  /// Returns the repository for the data that one actor's smartwatch shows.
  public nonisolated func watch(for actor: String?) -> any WatchRepository {
    InMemoryRepository(server: self, actor: actor)
  }
}

extension InMemoryPresence {
  /// Returns the repository for one actor's blocks and reports.
  public nonisolated func safety(for actor: String?) -> any SafetyRepository {
    InMemoryRepository(server: self, actor: actor)
  }
}

extension InMemoryRepository: SafetyRepository {
  func block(userId: String) async throws(AppError) { try await server.block(actor, userId) }

  func unblock(userId: String) async throws(AppError) { try await server.unblock(actor, userId) }

  func blockedUsers() async throws(AppError) -> [BlockedUser] {
    try await server.blockedUsers(actor)
  }

  func report(_ report: UserReport) async throws(AppError) {
    try await server.report(actor, report)
  }
}

extension InMemoryRepository: PresenceRepository {
  func send(_ command: PresenceCommand) async throws(AppError) -> PresenceAnswer {
    try await server.send(actor, command)
  }

  func presences(of groupId: String) async throws(AppError) -> PresenceSnapshot {
    try await server.snapshot(actor, groupId)
  }

  func observe(_ groupId: String) -> AsyncStream<Result<PresenceSnapshot, AppError>> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      Task { await server.observe(actor, groupId, continuation) }
    }
  }
}

extension InMemoryRepository: AchievementRepository {
  func stats() async throws(AppError) -> UserStats { try await server.stats(actor) }

  func earned() async throws(AppError) -> [UserAchievement] { try await server.earned(actor) }

  func progress() async throws(AppError) -> [AchievementProgress] {
    try await server.progress(actor)
  }

  func acknowledge(_ types: [AchievementType]) async throws(AppError) {
    try await server.acknowledge(actor, types)
  }
}

extension InMemoryRepository: WatchRepository {
  func payload() async throws(AppError) -> WatchPayload { try await server.watchPayload(actor) }
}
