public import BatonJobs
import Challenges
public import ChallengesServer

/// The stores of the domain that the jobs of this folder use, in the transaction of their work.
public struct JobContext: Sendable {
  /// The boards.
  public let leaderboards: any Leaderboards
  /// Their weeks.
  public let weeks: any Weeks
  /// Notifications to members.
  public let notifications: any Notifications
  /// Data whose retention period is over.
  public let expired: any ExpiredData
  /// Checks whether the boards agree with the ledger.
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

/// Every job of this folder: each job has one file, and one line here.
public enum Jobs {
  /// The jobs, in the order in which they are listed and polled.
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
