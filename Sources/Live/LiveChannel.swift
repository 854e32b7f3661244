import Postgres
import Synchronization

/// The observers of one feed, and what each of them has seen.
public final class LiveChannel<Feed: LiveFeed>: Sendable {
  let feed: Feed
  private let hub: LiveHub
  let observers = Mutex(Observers<Feed>())

  init(_ feed: Feed, of hub: LiveHub) {
    self.feed = feed
    self.hub = hub
  }

  /// A topic as a viewer may see it: now, then after each visible change, the newest alone where the reader is
  /// slow.
  ///
  /// The stream ends with a refusal, or with the task that reads it; then nothing of it is left.
  public func observe(_ topic: Feed.Topic, as viewer: Feed.Viewer) -> AsyncStream<Feed.Element> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let observer = Observer<Feed>(topic: topic, viewer: viewer, continuation: continuation)
      let id = observers.withLock { $0.add(observer) }
      continuation.onTermination = { [self] _ in
        // Let go outside of the lock: it may be the last that holds the stream.
        _ = observers.withLock { $0.remove(id) }
        if isEmpty { hub.look() }
      }
      hub.wake(self)
    }
  }

  /// How many streams are open.
  public var observerCount: Int { observers.withLock { $0.count } }
}

extension LiveChannel: ObservedChannel {
  var name: String { feed.name }
  var isEmpty: Bool { observers.withLock { $0.count == 0 } }
  var hasNewcomers: Bool { observers.withLock { !$0.unshown.isEmpty } }

  func look(at scope: Hints.Scope, on session: Session) async throws {
    let changed: [Feed.Topic]
    if case .keys(let keys) = scope, let named = observers.withLock({ $0.named(by: keys) }) {
      // Hints of what nobody observes: whoever may not see theirs any more is found by the next poll.
      guard !named.isEmpty else { return }
      changed = named
    } else {
      let known = observers.withLock { $0.known() }
      changed = known.isEmpty ? [] : try await feed.listChanged(known, on: session)
    }
    var others = observers.withLock { $0.toCheck(beside: changed, round: hub.options.check) }
    // A result of any size would have to fit into memory at once.
    var rest = changed[...]
    repeat {
      let topics = Array(rest.prefix(200))
      rest = rest.dropFirst(200)
      try await show(topics, checking: others, on: session)
      others = []
    } while !rest.isEmpty
  }

  private func show(
    _ topics: [Feed.Topic], checking others: [Int], on session: Session
  ) async throws {
    let asked = observers.withLock { $0.observing(topics, or: others) }
    guard !asked.isEmpty else { return }
    let reading = try await feed.read(
      topics, for: asked.map { (topic: $0.topic, viewer: $0.viewer) }, on: session)
    for message in observers.withLock({
      $0.take(reading, of: topics, for: asked, key: feed.key)
    }) {
      switch message.content {
      case .snapshot(let snapshot):
        message.continuation.yield(feed.element(of: snapshot, for: message.viewer))
      case .late: message.continuation.yield(feed.late)
      case .refusal(let refusal):
        message.continuation.yield(refusal)
        message.continuation.finish()
      }
    }
  }

  func beLate() {
    for continuation in observers.withLock({ $0.beLate() }) { continuation.yield(feed.late) }
  }
}

/// One stream.
struct Observer<Feed: LiveFeed>: Sendable {
  let topic: Feed.Topic
  let viewer: Feed.Viewer
  let continuation: AsyncStream<Feed.Element>.Continuation
  /// What it was shown last; nil: nothing, or nothing since it was told that snapshots may be late.
  var shown: Feed.Version?
  var isLate = false
}
