public import BatonJobs
import Challenges
public import ChallengesServer
package import ProductPush

/// The data stores that the jobs in this folder use in a run's transaction.
public struct JobContext: Sendable {
  /// The store of the boards.
  public let leaderboards: any Leaderboards
  /// The store of the boards' weeks.
  public let weeks: any Weeks
  /// The store of notifications to members.
  public let notifications: any Notifications
  /// The store of the data whose retention period has passed.
  public let expired: any ExpiredData
  /// The checks of the boards against the ledger.
  public let verification: any Verification

  /// Creates a context from the given stores.
  public init(
    leaderboards: any Leaderboards, weeks: any Weeks, notifications: any Notifications,
    expired: any ExpiredData, verification: any Verification
  ) {
    self.leaderboards = leaderboards
    self.weeks = weeks
    self.notifications = notifications
    self.expired = expired
    self.verification = verification
  }
}

/// The list of the jobs in this folder.
///
/// Each job has its own file.
public enum Jobs {
  /// The jobs in the order in which they are listed and polled.
  public static let all: [any TransactionalJob<JobContext>.Type] = [
    RecomputeRanks.self,
    ResyncBoards.self,
    CloseWeek.self,
    NotifyRankChanges.self,
    OpenWeek.self,
    Retention.self,
    VerifyBoards.self,
  ]

  /// The jobs that send push notifications.
  package static let pushes: [any EffectJob<PushDelivery>.Type] = [
    PushRankChange.self,
    PushNotification.self,
  ]
}
