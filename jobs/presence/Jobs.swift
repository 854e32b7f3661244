public import BatonJobs
import Presence
public import PresenceServer

/// What the jobs of this folder work with: the domain's stores, in the work's transaction.
public struct PresenceContext: Sendable {
  /// What is no longer kept.
  public let expired: any ExpiredRecords
  /// Presences, and the lines about them.
  public let presences: any PresenceUpkeep
  /// What users have achieved.
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

/// Every job of this folder: one file, one line here.
public enum PresenceJobs {
  /// The jobs, in the order in which they are listed and looked at.
  public static let all: [any TransactionalJob<PresenceContext>.Type] = [
    SummarizeGroups.self,
    AutoCheckOut.self,
    EndStalePresences.self,
    AwardAchievements.self,
    Retention.self,
  ]

  /// Those whose work is outside of the database.
  public static let effects: [any EffectJob<PushContext>.Type] = [
    AnnounceFirstArrival.self,
    PushMessage.self,
  ]
}
