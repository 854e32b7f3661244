public import JobCore
public import Presence

/// What the jobs of this folder work with: the domain's stores, in the work's transaction.
public struct PresenceContext: Sendable {
  /// What is no longer kept.
  public let expired: any ExpiredRecords
  /// What users have achieved.
  public let unlocks: any Unlocks
  /// Presences, and the lines about them.
  public let presences: any PresenceUpkeep

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
    AwardAchievements.self,
    SummarizeGroups.self,
    AutoCheckOut.self,
    EndStalePresences.self,
    Retention.self,
  ]
}
