/// The repositories of one user, who is called the actor.
public struct ActorRepositories: Sendable {
  /// The repository of the actor's account.
  public let users: any UserRepository
  /// The repository of groups and their members.
  public let groups: any GroupRepository
  /// The repository of invites to groups.
  public let invites: any InviteRepository
  /// The repository of the actor's workouts.
  public let workouts: any WorkoutRepository
  /// The repository of boards.
  public let leaderboards: any LeaderboardRepository
  /// The repository of the actor's notifications.
  public let notifications: any NotificationRepository
  /// The repository of the events that the actor's phones report.
  public let analytics: any AnalyticsRepository
  /// The repository of the actor's blocks and reports.
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
