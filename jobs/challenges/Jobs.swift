public import BatonJobs
import Challenges
public import ChallengesServer

/// What the jobs of this folder work with: the domain's stores, in the work's transaction.
public struct JobContext: Sendable {
  /// The boards.
  public let leaderboards: any Leaderboards
  /// Their weeks.
  public let weeks: any Weeks
  /// What members are told.
  public let notifications: any Notifications
  /// What is no longer kept.
  public let expired: any ExpiredData
  /// Whether boards are what the ledger says.
  public let verification: any Verification

  /// A context of these stores.
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

/// Every job of this folder: one file, one line here.
public enum Jobs {
  /// The jobs, in the order in which they are listed and looked at.
  public static let all: [any TransactionalJob<JobContext>.Type] = [
    RecomputeRanks.self,
    ResyncBoards.self,
    CloseWeek.self,
    NotifyRankChanges.self,
    OpenWeek.self,
    Retention.self,
    VerifyBoards.self,
  ]
}
