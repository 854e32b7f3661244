public import BatonPostgres

/// One kind of topic that observers follow, such as chats, scores or presence.
///
/// A feed finds which topics have changed, reads them, and decides which viewers may not see them. Each call handles
/// any number of topics. The ``LiveHub`` decides when to call, and who gets which element.
///
/// All calls are made one after the other, on the hub's connection. If a call throws and the connection still works,
/// it is repeated for fewer topics until the failing topic is found. Only the observers of that topic are affected.
public protocol LiveFeed: Sendable {
  /// What is observed.
  ///
  /// Equal topics are one topic. For texts use ``ExactText``, because `String` treats two Unicode spellings of a
  /// letter as equal.
  associatedtype Topic: Hashable & Sendable
  /// For whom a topic is observed.
  associatedtype Viewer: Sendable
  /// Changes with each visible change of a topic.
  associatedtype Version: Equatable & Sendable
  /// The state of a topic at one moment, the same for all of its viewers.
  associatedtype Snapshot: Sendable
  /// What observers get: a viewer's own snapshot, or why there is none.
  associatedtype Element: Sendable

  /// The name that publishers pass to `wake_observers`; unique in the schema.
  var name: String { get }

  /// The key with which publishers name this topic in `wake_observers_of`, at the version that was read.
  ///
  /// Nil, the default: publishers do not name topics, so each wake-up makes the hub check all of them.
  func key(of topic: Topic, at version: Version) -> String?

  /// Returns the topics that have changed since they were read.
  ///
  /// - Parameter known: topics with the version that was read; nil: none was read, so the topic must be returned.
  func listChanged(
    _ known: [(topic: Topic, version: Version?)], on session: Session
  ) async throws -> [Topic]

  /// Reads topics, and after that checks which of the viewers may not see their topic.
  ///
  /// - Parameters:
  ///   - topics: at most 200; empty if only viewers must be checked.
  ///   - viewers: each with the topic that they observe, which need not be one of `topics`.
  func read(
    _ topics: [Topic], for viewers: [(topic: Topic, viewer: Viewer)], on session: Session
  ) async throws -> LiveReading<Self>

  /// The snapshot as one viewer sees it; called for each viewer, so it should copy nothing.
  func element(of snapshot: Snapshot, for viewer: Viewer) -> Element

  /// The element that says that snapshots may be late.
  var late: Element { get }

  /// The last element for the observers of a topic that cannot be read because of a lasting error.
  ///
  /// The default is ``late``.
  func failure(_ error: any Error) -> Element
}

extension LiveFeed {
  /// The default: publishers do not name topics.
  public func key(of topic: Topic, at version: Version) -> String? { nil }

  /// The default: ``late``, which only says that snapshots may be late.
  public func failure(_ error: any Error) -> Element { late }
}

/// The result of ``LiveFeed/read(_:for:on:)``.
public struct LiveReading<Feed: LiveFeed>: Sendable {
  /// The topics that could be read, each with its snapshot and the snapshot's version.
  ///
  /// Observers of the other topics are notified that snapshots may be late.
  public var topics: [Feed.Topic: (version: Feed.Version, snapshot: Feed.Snapshot)]
  /// Why viewers may not see their topic, by their index in the list; each is the last element of a stream.
  public var refusals: [Int: Feed.Element]

  /// Creates a reading.
  public init(
    topics: [Feed.Topic: (version: Feed.Version, snapshot: Feed.Snapshot)] = [:],
    refusals: [Int: Feed.Element] = [:]
  ) {
    self.topics = topics
    self.refusals = refusals
  }
}
