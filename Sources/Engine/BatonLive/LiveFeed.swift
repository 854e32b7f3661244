public import BatonPostgres

/// One kind of topic that observers follow: chats, scores, who is present.
///
/// A product says which of the topics have changed, reads them, and says who may not see one, each time for any
/// number of them at once. When that is done, and who gets what, is the ``LiveHub``'s. All calls come one
/// after the other, on the hub's connection. Where one throws and the connection is still there, it is made again for
/// fewer topics, until the topic is found that cannot be read: only its observers are concerned.
public protocol LiveFeed: Sendable {
  /// What is observed. Two topics are one where they are equal: beware of texts, which compare by letters.
  associatedtype Topic: Hashable & Sendable
  /// For whom it is observed.
  associatedtype Viewer: Sendable
  /// Another one after each visible change of a topic.
  associatedtype Version: Equatable & Sendable
  /// How a topic looked at one moment, the same for all of its viewers.
  associatedtype Snapshot: Sendable
  /// What observers get: a viewer's own snapshot, or why there is none.
  associatedtype Element: Sendable

  /// What publishers say to `wake_observers`, and what no other feed of the schema is called.
  var name: String { get }

  /// What publishers call a topic that was read as this version, where they name topics in `wake_observers_of`; nil,
  /// which it is unless it is implemented: they do not, so each wake-up makes the hub look at all of them.
  func key(of topic: Topic, at version: Version) -> String?

  /// The topics that are not as they were read last.
  ///
  /// - Parameter known: topics with the version that was read; nil: nothing was, so it has to be.
  func listChanged(
    _ known: [(topic: Topic, version: Version?)], on session: Session
  ) async throws -> [Topic]

  /// Reads topics, and behind that, which of the viewers may not see theirs.
  ///
  /// - Parameters:
  ///   - topics: 200 at most; none where only viewers are to be checked.
  ///   - viewers: each with the topic that they observe, which need not be one of those.
  func read(
    _ topics: [Topic], for viewers: [(topic: Topic, viewer: Viewer)], on session: Session
  ) async throws -> LiveReading<Self>

  /// A snapshot as one viewer sees it; called for each of them, so it should copy nothing.
  func element(of snapshot: Snapshot, for viewer: Viewer) -> Element

  /// What says that snapshots may be late.
  var late: Element { get }

  /// The last that observers of a topic get where an error that will not pass keeps it from being read; ``late`` unless
  /// it is implemented.
  func failure(_ error: any Error) -> Element
}

extension LiveFeed {
  /// Publishers have no names for topics.
  public func key(of topic: Topic, at version: Version) -> String? { nil }

  /// Says no more than that snapshots may be late.
  public func failure(_ error: any Error) -> Element { late }
}

/// What ``LiveFeed/read(_:for:on:)`` found.
public struct LiveReading<Feed: LiveFeed>: Sendable {
  /// The topics that could be read, each with the version that the snapshot is of; observers of others are told
  /// that snapshots may be late.
  public var topics: [Feed.Topic: (version: Feed.Version, snapshot: Feed.Snapshot)]
  /// Why viewers may not see their topic, by their place in the list; each is the last element of a stream.
  public var refusals: [Int: Feed.Element]

  /// A reading.
  public init(
    topics: [Feed.Topic: (version: Feed.Version, snapshot: Feed.Snapshot)] = [:],
    refusals: [Int: Feed.Element] = [:]
  ) {
    self.topics = topics
    self.refusals = refusals
  }
}
