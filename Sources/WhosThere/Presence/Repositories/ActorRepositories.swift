/// All repositories of one actor.
public struct ActorRepositories: Sendable {
  /// The repository for signing in and out.
  public let auth: any AuthRepository
  /// The repository for the actor's account.
  public let users: any UserRepository
  /// The repository for groups, their members and their invites.
  public let groups: any GroupRepository
  /// The repository for check-ins and the users at a group's place.
  public let presences: any PresenceRepository
  /// The repository for messages.
  public let chat: any ChatRepository
  /// The repository for the actor's statistics and achievements.
  public let achievements: any AchievementRepository
  /// The repository for the data that a watch shows.
  public let watch: any WatchRepository
  /// The repository for the actor's blocks and reports.
  public let safety: any SafetyRepository

  /// Creates a value from repositories that all belong to the same actor.
  public init(
    auth: any AuthRepository, users: any UserRepository, groups: any GroupRepository,
    presences: any PresenceRepository, chat: any ChatRepository,
    achievements: any AchievementRepository, watch: any WatchRepository,
    safety: any SafetyRepository
  ) {
    self.auth = auth
    self.users = users
    self.groups = groups
    self.presences = presences
    self.chat = chat
    self.achievements = achievements
    self.watch = watch
    self.safety = safety
  }
}
