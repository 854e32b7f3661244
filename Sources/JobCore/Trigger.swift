/// What wakes a job.
public enum Trigger: Sendable, Hashable {
  /// An event with this topic, recorded by a table's trigger; its key is the run's key.
  case event(Topic)
  /// Nothing but a person or a program that asks for it.
  case manual

  /// The topic that wakes the job, if any does.
  public var topic: Topic? {
    guard case .event(let topic) = self else { return nil }
    return topic
  }
}

/// The kind of an event: a noun and a past participle, for example `parcel.sent`.
public struct Topic: Sendable, Hashable {
  /// As the trigger that records it writes it.
  public let name: String

  /// The queue's own: the event log begins anew, in another cluster.
  ///
  /// Recorded once after the database was restored or moved. Jobs on it make up for events that a dump may lack.
  public static let logRestarted = Topic("log.restarted")

  /// A topic by its name.
  public init(_ name: String) { self.name = name }
}
