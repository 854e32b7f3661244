/// The repositories of one user, who is called the actor.
public struct ActorRepositories: Sendable {
  /// The repository for the actor's account.
  public let users: any UserRepository
  /// The repository for groups and their members.
  public let groups: any GroupRepository
  /// The repository for invites to groups.
  public let invites: any InviteRepository
  /// The repository for the actor's workouts.
  public let workouts: any WorkoutRepository
  /// The repository for boards.
  public let leaderboards: any LeaderboardRepository
  /// The repository for the actor's notifications.
  public let notifications: any NotificationRepository
  /// The repository for the events reported by the actor's phones.
  public let analytics: any AnalyticsRepository
  /// The repository for the actor's blocks and reports.
  public let safety: any SafetyRepository

  /// Creates a value from repositories that all belong to the same actor.
  public init(
    users: any UserRepository, groups: any GroupRepository, invites: any InviteRepository,
    workouts: any WorkoutRepository, leaderboards: any LeaderboardRepository,
    notifications: any NotificationRepository, analytics: any AnalyticsRepository,
    safety: any SafetyRepository
  ) {
    self.users = users
    self.groups = groups
    self.invites = invites
    self.workouts = workouts
    self.leaderboards = leaderboards
    self.notifications = notifications
    self.analytics = analytics
    self.safety = safety
  }
}
