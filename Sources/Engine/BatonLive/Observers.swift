/// The observers of a channel, their topics, and the state that each observer has received.
///
/// The type performs no I/O.
///
/// Methods of this type return messages for observers. The channel must release its lock before it
/// sends a message to an observer. If a message ends a stream, the stream's termination handler
/// acquires the channel's lock.
struct Observers<Feed: LiveFeed>: Sendable {
  private struct Topic {
    /// The last version of the topic that was read.
    var version: Feed.Version?
    /// The key that publishers pass for this version of the topic.
    var key: ExactText?
    var ids: Set<Int> = []
  }

  /// A viewer whose access is checked.
  struct Asked: Sendable {
    let id: Int
    let topic: Feed.Topic
    let viewer: Feed.Viewer
  }

  /// An element for one observer.
  struct Message: Sendable {
    enum Content: Sendable {
      case snapshot(Feed.Snapshot)
      case late
      /// The last element of the stream.
      case end(Feed.Element)
    }

    let continuation: AsyncStream<Feed.Element>.Continuation
    let viewer: Feed.Viewer
    let content: Content
  }

  /// The topics and observers of one call to a feed.
  struct Part: Sendable {
    /// The topics to read.
    let topics: [Feed.Topic]
    /// The observers of the topics to read, and other observers whose access to their own topic
    /// must be checked.
    let asked: [Asked]

    /// Two parts, each with half of the topics, or nil if the part has only one topic.
    var halves: (Part, Part)? {
      var numbers: [Feed.Topic: Int] = [:]
      for viewer in asked where numbers[viewer.topic] == nil {
        numbers[viewer.topic] = numbers.count
      }
      guard numbers.count > 1 else { return nil }
      let half = numbers.count / 2
      let isFirst = { (topic: Feed.Topic) in numbers[topic].map { $0 < half } }
      return (
        Part(
          topics: topics.filter { isFirst($0) == true },
          asked: asked.filter { isFirst($0.topic) == true }),
        Part(
          topics: topics.filter { isFirst($0) == false },
          asked: asked.filter { isFirst($0.topic) == false })
      )
    }
  }

  private var observers: [Int: Observer<Feed>] = [:]
  private var topics: [Feed.Topic: Topic] = [:]
  /// The topics that were read, grouped by the publishers' key.
  ///
  /// The topics without a key are stored under the key nil.
  private var topicsByKey: [ExactText?: Set<Feed.Topic>] = [:]
  /// The topics whose last read was cancelled.
  var slow = SlowTopics<Feed.Topic>()
  private var lastID = 0
  /// The observers that have not received a snapshot yet.
  private(set) var unshown: Set<Int> = []
  /// The observers whose access must still be checked in the current round of access checks.
  private var unchecked: [Int] = []
  private var checkedAt = ContinuousClock.now

  var count: Int { observers.count }

  mutating func add(_ observer: Observer<Feed>) -> Int {
    lastID += 1
    observers[lastID] = observer
    topics[observer.topic, default: Topic()].ids.insert(lastID)
    unshown.insert(lastID)
    return lastID
  }

  mutating func remove(_ id: Int) -> Observer<Feed>? {
    guard let observer = observers.removeValue(forKey: id) else { return nil }
    unshown.remove(id)
    topics[observer.topic]?.ids.remove(id)
    if topics[observer.topic]?.ids.isEmpty == true {
      note(nil, of: observer.topic, key: { _, _ in nil })
      topics[observer.topic] = nil
      slow.remove(observer.topic)
    }
    return observer
  }

  /// Returns all topics that are not slow, with the versions that were read.
  ///
  /// A topic's version is nil if an observer has not received a snapshot of the topic yet.
  func known() -> [(topic: Feed.Topic, version: Feed.Version?)] {
    let unseen = Set(unshown.compactMap { observers[$0]?.topic })
    return topics.compactMap { topic, state in
      slow.contains(topic)
        ? nil : (topic: topic, version: unseen.contains(topic) ? nil : state.version)
    }
  }

  /// Returns the topics with the given keys, and the topics of observers without a snapshot.
  ///
  /// - Returns: the topics, or nil if some topics have no key. For a topic without a key, the
  ///   method cannot determine from `keys` whether the topic has changed.
  func named(by keys: Set<ExactText>) -> Set<Feed.Topic>? {
    guard topicsByKey[nil] == nil else { return nil }
    let unseen = Set(unshown.compactMap { observers[$0]?.topic })
    let named = keys.reduce(into: unseen) { $0.formUnion(topicsByKey[$1] ?? []) }
    return named.filter { !slow.contains($0) }
  }

  /// Stores the version of a topic that was read, or nil if the topic could not be read.
  private mutating func note(
    _ version: Feed.Version?, of topic: Feed.Topic, key: (Feed.Topic, Feed.Version) -> String?
  ) {
    guard let state = topics[topic] else { return }
    if state.version != nil {
      topicsByKey[state.key]?.remove(topic)
      if topicsByKey[state.key]?.isEmpty == true { topicsByKey[state.key] = nil }
    }
    topics[topic]?.version = version
    guard let version else { return }
    let key = key(topic, version).map { ExactText($0) }
    topics[topic]?.key = key
    topicsByKey[key, default: []].insert(topic)
  }

  /// Returns the observers whose access is checked although the observed topic has not changed.
  ///
  /// The result contains the observers without a snapshot, and a share of all other observers.
  /// Every observer is checked once within `round`.
  mutating func toCheck(beside changed: [Feed.Topic], round: Duration) -> [Int] {
    var ids = unshown
    let part = checkedAt.duration(to: .now) / round
    checkedAt = .now
    let share = min(observers.count, Int((Double(observers.count) * min(1, part)).rounded(.up)))
    if unchecked.isEmpty { unchecked = Array(observers.keys) }
    ids.formUnion(unchecked.suffix(share))
    unchecked.removeLast(min(share, unchecked.count))
    let changed = Set(changed)
    return ids.filter { id in
      observers[id].map { !changed.contains($0.topic) && !slow.contains($0.topic) } ?? false
    }
  }

  /// Returns the observers of the given topics, and the observers with the given ids.
  func observing(_ changed: [Feed.Topic], or others: [Int]) -> [Asked] {
    let ids = changed.flatMap { topics[$0]?.ids ?? [] } + others
    return ids.compactMap { id in
      observers[id].map { Asked(id: id, topic: $0.topic, viewer: $0.viewer) }
    }
  }

  /// Stores the result of a read, and returns the messages for the viewers in `asked`.
  mutating func take(
    _ reading: LiveReading<Feed>, of changed: [Feed.Topic], for asked: [Asked],
    key: (Feed.Topic, Feed.Version) -> String?
  ) -> [Message] {
    let wanted = Set(changed)
    var messages: [Message] = []
    for (place, viewer) in asked.enumerated() {
      if let refusal = reading.refusals[place] {
        guard let gone = remove(viewer.id) else { continue }
        messages.append(message(to: gone, .end(refusal)))
        continue
      }
      guard wanted.contains(viewer.topic), let observer = observers[viewer.id] else { continue }
      if let read = reading.topics[viewer.topic] {
        unshown.remove(viewer.id)
        guard observer.shown != read.version else { continue }
        observers[viewer.id]?.shown = read.version
        observers[viewer.id]?.isLate = false
        messages.append(message(to: observer, .snapshot(read.snapshot)))
      } else if makeLate(viewer.id) {
        messages.append(message(to: observer, .late))
      }
    }
    for topic in changed { note(reading.topics[topic]?.version, of: topic, key: key) }
    return messages
  }

  /// Stores a read failure, and returns the messages for the topics' viewers.
  ///
  /// - Parameter failure: the last element of the viewers' streams after a permanent error, or nil
  ///   after a temporary error. After a temporary error, the viewers are notified that snapshots
  ///   may be late, and the next successful poll sends them new snapshots.
  mutating func fail(_ part: Part, with failure: Feed.Element?) -> [Message] {
    let wanted = Set(part.topics)
    var messages: [Message] = []
    for viewer in part.asked {
      if let failure {
        guard let gone = remove(viewer.id) else { continue }
        messages.append(message(to: gone, .end(failure)))
      } else if wanted.contains(viewer.topic), let observer = observers[viewer.id],
        makeLate(viewer.id)
      {
        messages.append(message(to: observer, .late))
      }
    }
    for topic in part.topics { note(nil, of: topic, key: { _, _ in nil }) }
    return messages
  }

  /// Ends all streams.
  mutating func end(with failure: Feed.Element) -> [Message] {
    Array(observers.keys).compactMap { id in
      remove(id).map { message(to: $0, .end(failure)) }
    }
  }

  private func message(to observer: Observer<Feed>, _ content: Message.Content) -> Message {
    Message(continuation: observer.continuation, viewer: observer.viewer, content: content)
  }

  /// Marks all observers as late, and returns the observers that were not late before.
  ///
  /// Every observer will get a new snapshot, even if the topic's version is unchanged.
  mutating func beLate() -> [AsyncStream<Feed.Element>.Continuation] {
    for topic in topics.keys { topics[topic]?.version = nil }
    topicsByKey = [:]
    return observers.compactMap { $0 }.filter { makeLate($0.key) }.map(\.value.continuation)
  }

  /// Marks an observer as late, and returns true if the observer was not late before.
  private mutating func makeLate(_ id: Int) -> Bool {
    let wasLate = observers[id]?.isLate == true
    observers[id]?.isLate = true
    observers[id]?.shown = nil
    unshown.insert(id)
    return !wasLate
  }
}
