public import JobCore
public import Presence

/// What the jobs of this folder work with: the domain's stores, in the work's transaction.
public struct PresenceContext: Sendable {
  /// What is no longer kept.
  public let expired: any ExpiredRecords

  /// A context of these stores.
  public init(expired: any ExpiredRecords) { self.expired = expired }
}

/// Every job of this folder: one file, one line here.
public enum PresenceJobs {
  /// The jobs, in the order in which they are listed and looked at.
  public static let all: [any TransactionalJob<PresenceContext>.Type] = [
    Retention.self
  ]

  /// Those whose work is outside of the database.
  public static let effects: [any EffectJob<PushContext>.Type] = [
    AnnounceFirstArrival.self,
    PushMessage.self,
  ]
}
