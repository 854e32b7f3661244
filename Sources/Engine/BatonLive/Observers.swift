/// Who observes what, and who has seen what of it: the books of a channel, without any I/O.
///
/// What it returns is sent to streams behind the lock that it stands under: a stream that ends calls back.
struct Observers<Feed: LiveFeed>: Sendable {
  private struct Topic {
    /// As it was read last.
    var version: Feed.Version?
    /// What publishers call it then.
    var key: String?
    var ids: Set<Int> = []
  }

  /// A viewer who is asked about.
  struct Asked: Sendable {
    let id: Int
    let topic: Feed.Topic
    let viewer: Feed.Viewer
  }

  /// What an observer gets.
  struct Message: Sendable {
    enum Content: Sendable {
      case snapshot(Feed.Snapshot)
      case late
      /// The last that the stream has.
      case end(Feed.Element)
    }

    let continuation: AsyncStream<Feed.Element>.Continuation
    let viewer: Feed.Viewer
    let content: Content
  }

  /// The topics and observers of one call of a feed.
  struct Part: Sendable {
    /// The topics that are read.
    let topics: [Feed.Topic]
    /// Observers of these topics, and observers of other topics whose access is checked.
    let asked: [Asked]

    /// The same about half of the topics each; nil: it is about one.
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
  /// The topics that were read, by what publishers call them; nil: those that they have no name for.
  private var topicsByKey: [String?: Set<Feed.Topic>] = [:]
  private var lastID = 0
  /// Who was shown nothing yet.
  private(set) var unshown: Set<Int> = []
  /// Who is still to be asked about in this round, and until when that was done.
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
    }
    return observer
  }

  /// All topics with the version that was read; nil where somebody was shown nothing of it yet.
  func known() -> [(topic: Feed.Topic, version: Feed.Version?)] {
    let unseen = Set(unshown.compactMap { observers[$0]?.topic })
    return topics.map { topic, state in
      (topic: topic, version: unseen.contains(topic) ? nil : state.version)
    }
  }

  /// The topics that publishers mean by these keys, and those of which somebody was shown nothing yet.
  ///
  /// - Returns: nil where publishers have no name for some of them: it may be these that they mean.
  func named(by keys: Set<String>) -> [Feed.Topic]? {
    guard topicsByKey[nil] == nil else { return nil }
    let unseen = Set(unshown.compactMap { observers[$0]?.topic })
    return Array(keys.reduce(into: unseen) { $0.formUnion(topicsByKey[$1] ?? []) })
  }

  /// A topic was read as this version; nil: it could not be.
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
    let key = key(topic, version)
    topics[topic]?.key = key
    topicsByKey[key, default: []].insert(topic)
  }

  /// Who is to be asked about although their topic has not changed: newcomers, whose topic may not be there at
  /// all, and of the others as many as the time since the last look is of a round.
  ///
  /// So looks that follow one another quickly are not held up by a check of thousands.
  mutating func toCheck(beside changed: [Feed.Topic], round: Duration) -> [Int] {
    var ids = unshown
    let part = checkedAt.duration(to: .now) / round
    checkedAt = .now
    let share = min(observers.count, Int((Double(observers.count) * min(1, part)).rounded(.up)))
    if unchecked.isEmpty { unchecked = Array(observers.keys) }
    ids.formUnion(unchecked.suffix(share))
    unchecked.removeLast(min(share, unchecked.count))
    let changed = Set(changed)
    return ids.filter { id in observers[id].map { !changed.contains($0.topic) } ?? false }
  }

  /// Who observes these topics, and those others who are still there.
  func observing(_ changed: [Feed.Topic], or others: [Int]) -> [Asked] {
    let ids = changed.flatMap { topics[$0]?.ids ?? [] } + others
    return ids.compactMap { id in
      observers[id].map { Asked(id: id, topic: $0.topic, viewer: $0.viewer) }
    }
  }

  /// Takes what was read of topics, and says who gets what: of whom was asked about, nobody else.
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

  /// Takes that nothing could be read for these viewers.
  ///
  /// - Parameter failure: the last that they get; nil: the next look may succeed, and until then their topic is late.
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

  /// Ends all of them.
  mutating func end(with failure: Feed.Element) -> [Message] {
    Array(observers.keys).compactMap { id in
      remove(id).map { message(to: $0, .end(failure)) }
    }
  }

  private func message(to observer: Observer<Feed>, _ content: Message.Content) -> Message {
    Message(continuation: observer.continuation, viewer: observer.viewer, content: content)
  }

  /// Says who was not late before; all are shown their topic again, whatever its version.
  mutating func beLate() -> [AsyncStream<Feed.Element>.Continuation] {
    for topic in topics.keys { topics[topic]?.version = nil }
    topicsByKey = [:]
    return observers.compactMap { $0 }.filter { makeLate($0.key) }.map(\.value.continuation)
  }

  /// Whether the observer was not late before.
  private mutating func makeLate(_ id: Int) -> Bool {
    let wasLate = observers[id]?.isLate == true
    observers[id]?.isLate = true
    observers[id]?.shown = nil
    unshown.insert(id)
    return !wasLate
  }
}
