public import BatonJobs
import Presence
public import PresenceServer

/// The stores of the domain that the jobs of this folder use, in the transaction of their work.
public struct PresenceContext: Sendable {
  /// Records whose retention period is over.
  public let expired: any ExpiredRecords
  /// Presences and their summaries.
  public let presences: any PresenceUpkeep
  /// The achievements that users have unlocked.
  public let unlocks: any Unlocks

  /// A context of these stores.
  public init(
    expired: any ExpiredRecords, presences: any PresenceUpkeep, unlocks: any Unlocks
  ) {
    self.expired = expired
    self.presences = presences
    self.unlocks = unlocks
  }
}

/// Every job of this folder: each job has one file, and one line here.
public enum PresenceJobs {
  /// The jobs, in the order in which they are listed and polled.
  public static let all: [any TransactionalJob<PresenceContext>.Type] = [
    SummarizeGroups.self,
    AutoCheckOut.self,
    EndStalePresences.self,
    AwardAchievements.self,
    Retention.self,
  ]

  /// Jobs whose work is outside of the database.
  public static let effects: [any EffectJob<PushContext>.Type] = [
    AnnounceFirstArrival.self,
    PushMessage.self,
  ]
}
