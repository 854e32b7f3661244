/// All that one actor calls.
public struct ActorRepositories: Sendable {
  /// The signed-in user, and signing in and out.
  public let auth: any AuthRepository
  /// The actor's account.
  public let users: any UserRepository
  /// Groups, their members, and their invites.
  public let groups: any GroupRepository
  /// Check-ins, and who is at a group's place.
  public let presences: any PresenceRepository
  /// What members write.
  public let chat: any ChatRepository
  /// What the actor has done and achieved.
  public let achievements: any AchievementRepository
  /// What a watch shows.
  public let watch: any WatchRepository

  /// Repositories that were all made for one actor.
  public init(
    auth: any AuthRepository, users: any UserRepository, groups: any GroupRepository,
    presences: any PresenceRepository, chat: any ChatRepository,
    achievements: any AchievementRepository, watch: any WatchRepository
  ) {
    self.auth = auth
    self.users = users
    self.groups = groups
    self.presences = presences
    self.chat = chat
    self.achievements = achievements
    self.watch = watch
  }
}
