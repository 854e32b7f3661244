/// Who observes what, and who has seen what of it: the books of a channel, without any I/O.
///
/// What it returns is sent to streams behind the lock that it stands under: a stream that ends calls back.
struct Observers<Feed: LiveFeed>: Sendable {
  private struct Topic {
    /// As it was read last.
    var version: Feed.Version?
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
      case refusal(Feed.Element)
    }

    let continuation: AsyncStream<Feed.Element>.Continuation
    let viewer: Feed.Viewer
    let content: Content
  }

  private var observers: [Int: Observer<Feed>] = [:]
  private var topics: [Feed.Topic: Topic] = [:]
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
    if topics[observer.topic]?.ids.isEmpty == true { topics[observer.topic] = nil }
    return observer
  }

  /// All topics with the version that was read; nil where somebody was shown nothing of it yet.
  func known() -> [(topic: Feed.Topic, version: Feed.Version?)] {
    let unseen = Set(unshown.compactMap { observers[$0]?.topic })
    return topics.map { topic, state in
      (topic: topic, version: unseen.contains(topic) ? nil : state.version)
    }
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
    _ reading: LiveReading<Feed>, of changed: [Feed.Topic], for asked: [Asked]
  ) -> [Message] {
    let wanted = Set(changed)
    var messages: [Message] = []
    for (place, viewer) in asked.enumerated() {
      if let refusal = reading.refusals[place] {
        guard let gone = remove(viewer.id) else { continue }
        messages.append(message(to: gone, .refusal(refusal)))
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
    for topic in changed { topics[topic]?.version = reading.topics[topic]?.version }
    return messages
  }

  private func message(to observer: Observer<Feed>, _ content: Message.Content) -> Message {
    Message(continuation: observer.continuation, viewer: observer.viewer, content: content)
  }

  /// Says who was not late before; all are shown their topic again, whatever its version.
  mutating func beLate() -> [AsyncStream<Feed.Element>.Continuation] {
    for topic in topics.keys { topics[topic]?.version = nil }
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
