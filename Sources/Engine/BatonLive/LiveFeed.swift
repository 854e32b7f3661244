public import BatonPostgres

/// A kind of topic that observers follow, such as chats, scores or presence.
///
/// A feed finds changed topics, reads topics, and decides which viewers may see a topic. Each call
/// to a feed can handle any number of topics. The ``LiveHub`` decides when it calls the feed, and
/// which observer gets which element.
///
/// The hub makes all calls one after another on its connection. If a call fails, the hub repeats
/// the call for fewer topics until the failing topic is found. A failing topic affects only the
/// observers of that topic. A call that takes longer than ``LiveOptions/timeout`` is cancelled. A
/// call with a larger result than ``LiveOptions/maximumResultSize`` fails.
public protocol LiveFeed: Sendable {
  /// The identity of an observed topic.
  ///
  /// Equal values identify the same topic. For strings, use ``ExactText``, because `String` treats
  /// two Unicode spellings of a letter as equal.
  associatedtype Topic: Hashable & Sendable
  /// The viewer for whom a topic is observed.
  associatedtype Viewer: Sendable
  /// A value that changes with each visible change to a topic.
  associatedtype Version: Equatable & Sendable
  /// The state of a topic at one moment, which is the same for all viewers of the topic.
  associatedtype Snapshot: Sendable
  /// The element that observers get: a viewer's own snapshot, or the reason why no snapshot is
  /// available.
  associatedtype Element: Sendable

  /// The name of the feed, which publishers pass to `wake_observers`.
  ///
  /// The name must be unique in the schema.
  var name: String { get }

  /// Returns the key that publishers pass to `wake_observers_of` for a topic with the given
  /// version.
  ///
  /// The default implementation returns nil, which means that publishers do not pass keys. If
  /// publishers do not pass keys, the hub checks all topics after each wake-up.
  func key(of topic: Topic, at version: Version) -> String?

  /// Returns the topics that have changed since they were last read.
  ///
  /// - Parameter known: the topics, each with the version that was last read. The method must
  ///   return every topic whose version is nil.
  func listChanged(
    _ known: [(topic: Topic, version: Version?)], on session: Session
  ) async throws -> [Topic]

  /// Reads topics, and then checks which viewers cannot access the topics that they observe.
  ///
  /// - Parameters:
  ///   - topics: the topics to read, at most 200. The list is empty if only viewers must be
  ///     checked.
  ///   - viewers: the viewers to check, each with the topic that the viewer observes. If only a
  ///     viewer's access must be checked, `topics` does not contain the viewer's topic.
  func read(
    _ topics: [Topic], for viewers: [(topic: Topic, viewer: Viewer)], on session: Session
  ) async throws -> LiveReading<Self>

  /// Returns the element for one viewer, which contains the viewer's view of the snapshot.
  ///
  /// The hub calls this method for each viewer, so it should not copy large data.
  func element(of snapshot: Snapshot, for viewer: Viewer) -> Element

  /// The element that informs observers that snapshots may be late.
  var late: Element { get }

  /// Returns the last element to send to a topic's observers when a permanent error prevents the
  /// topic from being read.
  ///
  /// The default implementation returns ``late``.
  func failure(_ error: any Error) -> Element
}

extension LiveFeed {
  /// Returns nil, because publishers do not pass keys by default.
  public func key(of topic: Topic, at version: Version) -> String? { nil }

  /// Returns ``late``, which reports only that snapshots may be late.
  public func failure(_ error: any Error) -> Element { late }
}

/// The result of ``LiveFeed/read(_:for:on:)``.
public struct LiveReading<Feed: LiveFeed>: Sendable {
  /// The version and the snapshot of each topic that could be read.
  ///
  /// If a topic could not be read, its observers are notified that snapshots may be late.
  public var topics: [Feed.Topic: (version: Feed.Version, snapshot: Feed.Snapshot)]
  /// The last element of each refused viewer's stream.
  ///
  /// The keys are the viewers' indexes in the `viewers` parameter of ``LiveFeed/read(_:for:on:)``.
  public var refusals: [Int: Feed.Element]

  /// Creates a result.
  public init(
    topics: [Feed.Topic: (version: Feed.Version, snapshot: Feed.Snapshot)] = [:],
    refusals: [Int: Feed.Element] = [:]
  ) {
    self.topics = topics
    self.refusals = refusals
  }
}
