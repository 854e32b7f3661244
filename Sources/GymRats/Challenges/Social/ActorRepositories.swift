/// All that one actor calls.
public struct ActorRepositories: Sendable {
  /// The actor's account.
  public let users: any UserRepository
  /// Groups and their members.
  public let groups: any GroupRepository
  /// Invites into groups.
  public let invites: any InviteRepository
  /// The actor's workouts.
  public let workouts: any WorkoutRepository
  /// Boards.
  public let leaderboards: any LeaderboardRepository
  /// The actor's notifications.
  public let notifications: any NotificationRepository
  /// What the actor's phones report of themselves.
  public let analytics: any AnalyticsRepository

  /// Repositories that were all made for one actor.
  public init(
    users: any UserRepository, groups: any GroupRepository, invites: any InviteRepository,
    workouts: any WorkoutRepository, leaderboards: any LeaderboardRepository,
    notifications: any NotificationRepository, analytics: any AnalyticsRepository
  ) {
    self.users = users
    self.groups = groups
    self.invites = invites
    self.workouts = workouts
    self.leaderboards = leaderboards
    self.notifications = notifications
    self.analytics = analytics
  }
}
