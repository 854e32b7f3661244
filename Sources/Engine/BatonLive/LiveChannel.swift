import BatonPostgres
import Synchronization

/// The observers of one feed, together with the state that each observer has received.
///
/// A channel can be used from any thread.
public final class LiveChannel<Feed: LiveFeed>: Sendable {
  let feed: Feed
  let hub: LiveHub
  let observers = Mutex(Observers<Feed>())

  init(_ feed: Feed, of hub: LiveHub) {
    self.feed = feed
    self.hub = hub
  }

  /// Returns a stream of a topic's snapshots for one viewer.
  ///
  /// The stream contains the current snapshot, and a new snapshot after each visible change.
  ///
  /// A slow reader receives only the latest snapshot. The stream ends if the viewer has no access,
  /// after a permanent error for the topic, or when the reading task ends.
  ///
  /// ```swift
  /// for await element in channel.observe(topic, as: viewer) { send(element) }
  /// ```
  public func observe(_ topic: Feed.Topic, as viewer: Feed.Viewer) -> AsyncStream<Feed.Element> {
    open(topic, as: viewer).elements
  }

  /// Opens a stream like ``observe(_:as:)``, and also returns a function that ends the stream.
  ///
  /// The returned function can be called from any thread and at any time. After a call to the
  /// returned function, the stream contains at most one more element.
  package func open(
    _ topic: Feed.Topic, as viewer: Feed.Viewer
  ) -> (elements: AsyncStream<Feed.Element>, end: @Sendable () -> Void) {
    let (elements, continuation) = AsyncStream<Feed.Element>.makeStream(
      bufferingPolicy: .bufferingNewest(1))
    let observer = Observer<Feed>(topic: topic, viewer: viewer, continuation: continuation)
    let id = observers.withLock { $0.add(observer) }
    continuation.onTermination = { [self] _ in
      // The removed observer is released outside the lock. If releasing the observer ends the
      // stream, the stream's termination handler acquires the lock.
      _ = observers.withLock { $0.remove(id) }
      if isEmpty { hub.poll() }
    }
    hub.wake(self)
    return (elements, { continuation.finish() })
  }

  /// The number of open streams.
  public var observerCount: Int { observers.withLock { $0.count } }
}

extension LiveChannel: ObservedChannel {
  var name: String { feed.name }
  var isEmpty: Bool { observers.withLock { $0.count == 0 } }
  var hasNewcomers: Bool { observers.withLock { !$0.unshown.isEmpty } }

  func poll(at scope: WakeUps.Scope, on connection: HubConnection) async throws {
    let changed: [Feed.Topic]
    if case .keys(let keys) = scope, let named = observers.withLock({ $0.named(by: keys) }) {
      // If the wake-up concerns no observed topic, nothing is read.
      guard !named.isEmpty else { return }
      changed = Array(named)
    } else {
      let known = observers.withLock { $0.known() }
      changed = try await listChanged(known[...], on: connection)
    }
    var others = observers.withLock { $0.toCheck(beside: changed, round: hub.options.check) }
    // The topics are read in parts, because the result for all topics might not fit into memory.
    var rest = changed[...]
    repeat {
      let topics = Array(rest.prefix(200))
      rest = rest.dropFirst(200)
      let asked = observers.withLock { $0.observing(topics, or: others) }
      let part = Observers<Feed>.Part(topics: topics, asked: asked)
      // If reading a part took too long, the next poll reads the remaining parts.
      guard try await show(part, on: connection) else { return }
      others = []
    } while !rest.isEmpty
    try await showSlow(on: connection)
  }

  /// Returns the topics that must be read again.
  ///
  /// If the feed throws an error for a topic, the topic is omitted and the topic's observers get
  /// the error.
  func listChanged(
    _ known: ArraySlice<(topic: Feed.Topic, version: Feed.Version?)>, on connection: HubConnection
  ) async throws -> [Feed.Topic] {
    guard let first = known.first else { return [] }
    do {
      let list = Array(known)
      return try await limited { [feed] in
        try await feed.listChanged(list, on: connection.session)
      }
    } catch {
      let isPassing = try await connection.isPassing(error)
      if error.isTimeout {
        beSlow(known.map(\.topic))
        return []
      }
      guard known.count > 1 else {
        let asked = observers.withLock { $0.observing([first.topic], or: []) }
        fail(Observers<Feed>.Part(topics: [first.topic], asked: asked), error, isPassing: isPassing)
        return []
      }
      let middle = known.startIndex + known.count / 2
      return try await listChanged(known[..<middle], on: connection)
        + listChanged(known[middle...], on: connection)
    }
  }

  /// Reads topics and sends the snapshots to the observers.
  ///
  /// If the read fails, each half of the topics is read separately, until the failing topic is
  /// found. If the read takes too long, the topics become slow topics.
  ///
  /// - Returns: true if no read took too long.
  func show(
    _ part: Observers<Feed>.Part, on connection: HubConnection
  ) async throws -> Bool {
    guard !part.asked.isEmpty else { return true }
    do {
      let reading = try await limited { [feed] in
        try await feed.read(
          part.topics, for: part.asked.map { (topic: $0.topic, viewer: $0.viewer) },
          on: connection.session)
      }
      send(
        observers.withLock {
          $0.take(reading, of: part.topics, for: part.asked, key: feed.key)
        })
    } catch {
      let isPassing = try await connection.isPassing(error)
      if error.isTimeout {
        beSlow(part.topics + part.asked.map(\.topic))
        return false
      }
      guard let (first, second) = part.halves else {
        fail(part, error, isPassing: isPassing)
        return true
      }
      guard try await show(first, on: connection) else { return false }
      return try await show(second, on: connection)
    }
    return true
  }

  private func limited<Output: Sendable>(
    _ body: @escaping @Sendable () async throws -> Output
  ) async throws -> Output {
    // The limit is longer than the server's statement timeout, so that a slow statement fails with
    // the server's error.
    try await within(hub.options.timeout + .milliseconds(500), body)
  }

  /// Handles the error for one topic that could not be read.
  private func fail(_ part: Observers<Feed>.Part, _ error: any Error, isPassing: Bool) {
    if !isPassing { hub.options.onFailure?(name, error) }
    let failure = isPassing ? nil : feed.failure(error)
    send(observers.withLock { $0.fail(part, with: failure) })
  }

  func send(_ messages: [Observers<Feed>.Message]) {
    for message in messages {
      switch message.content {
      case .snapshot(let snapshot):
        message.continuation.yield(feed.element(of: snapshot, for: message.viewer))
      case .late: message.continuation.yield(feed.late)
      case .end(let last):
        message.continuation.yield(last)
        message.continuation.finish()
      }
    }
  }

  func end(with error: PostgresError) {
    hub.options.onFailure?(name, error)
    let failure = feed.failure(error)
    send(observers.withLock { $0.end(with: failure) })
  }

  func beLate() {
    for continuation in observers.withLock({ $0.beLate() }) { continuation.yield(feed.late) }
  }
}

/// An open stream.
struct Observer<Feed: LiveFeed>: Sendable {
  let topic: Feed.Topic
  let viewer: Feed.Viewer
  let continuation: AsyncStream<Feed.Element>.Continuation
  /// The version of the last snapshot sent, or nil if the observer needs a new snapshot.
  var shown: Feed.Version?
  var isLate = false
}
