public import BatonJobs
import Presence
public import PresenceServer
package import ProductPush

/// The data stores that the jobs in this folder use in a run's transaction.
public struct PresenceContext: Sendable {
  /// The store of the records whose retention period has passed.
  public let expired: any ExpiredRecords
  /// The store of the presences and their summaries.
  public let presences: any PresenceUpkeep
  /// The store of the achievements that users have unlocked.
  public let unlocks: any Unlocks

  /// The store that plans push notifications to devices.
  public let pushes: any PushPlans

  /// Creates a context from the given stores.
  public init(
    expired: any ExpiredRecords, presences: any PresenceUpkeep, unlocks: any Unlocks,
    pushes: any PushPlans
  ) {
    self.expired = expired
    self.presences = presences
    self.unlocks = unlocks
    self.pushes = pushes
  }
}

/// The list of the jobs in this folder.
///
/// Each job has its own file.
public enum PresenceJobs {
  /// The jobs that run in transactions, in the order in which they are listed and polled.
  public static let all: [any TransactionalJob<PresenceContext>.Type] = [
    SummarizeGroups.self,
    AutoCheckOut.self,
    EndStalePresences.self,
    AwardAchievements.self,
    Retention.self,
    PlanMessagePushes.self,
    PlanArrivalPushes.self,
  ]

  /// The jobs that act outside the database.
  public static let effects: [any EffectJob<PushContext>.Type] = [
    AnnounceFirstArrival.self,
    PushMessage.self,
  ]

  /// The job that sends notifications of messages to devices.
  package static let messageDelivery: any EffectJob<PushDelivery>.Type = DeliverMessage.self
  /// The job that sends notifications of first arrivals to devices.
  package static let arrivalDelivery: any EffectJob<PushDelivery>.Type = DeliverFirstArrival.self
}
