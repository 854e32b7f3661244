import Synchronization

/// The listeners of server-sent events.
///
/// Events are read once for all listeners, and only while at least one client is listening.
final class EventStreams: Sendable {
  /// The maximum number of listeners.
  ///
  /// Additional clients are rejected, and have to poll.
  static let most = 16

  /// The minimum time between two events of one feed.
  ///
  /// If a feed sent events too fast, its events could replace the events of other feeds in the
  /// listeners' buffers.
  static let feedPause = Duration.milliseconds(20)
  /// The maximum size of an event in bytes.
  ///
  /// Larger events are not sent.
  static let mostBytes = 256 << 10

  /// A source of complete events, which starts when the first listener connects.
  struct Feed: Sendable {
    let name: String
    /// Starts the source.
    ///
    /// - Parameter topics: returns the topics of all listeners.
    let begin: @Sendable (_ topics: @escaping @Sendable () -> [String]) -> AsyncStream<String>
  }

  private struct Listener {
    let stream: AsyncStream<String>.Continuation
    /// The listener's topics, by feed name.
    let topics: [String: [String]]
    /// Returns whether the listener may continue to listen.
    let isAdmitted: @Sendable () -> Bool
  }

  private struct State {
    var listeners: [Int: Listener] = [:]
    var opened = 0
    var teller: Task<Void, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let pause: Duration
  private let read: @Sendable () async -> String
  private let feeds: [Feed]

  /// Creates event streams without listeners.
  ///
  /// - Parameters:
  ///   - pause: the time between two calls to `read`.
  ///   - feeds: additional sources of events.
  ///   - read: returns a complete event.
  init(
    every pause: Duration = .seconds(1), feeds: [Feed] = [],
    read: @escaping @Sendable () async -> String
  ) {
    (self.pause, self.feeds, self.read) = (pause, feeds, read)
  }

  /// The number of listeners.
  var count: Int { state.withLock(\.listeners.count) }

  /// Returns the topics of all listeners for one feed, without duplicates.
  ///
  /// Topics are ids, which the database compares byte by byte.
  func topics(of feed: String) -> [String] {
    let all = state.withLock { state in state.listeners.values.flatMap { $0.topics[feed] ?? [] } }
    return Array(Dictionary(all.map { (Array($0.utf8), $0) }) { first, _ in first }.values)
  }

  /// Returns a stream of all events from now on, or nil if too many clients are listening or if the
  /// streams are closed.
  ///
  /// For each listener, only the newest eight events are buffered, so a slow listener misses
  /// events.
  ///
  /// - Parameters:
  ///   - topics: the listener's topics, by feed name.
  ///   - isAdmitted: returns whether the client may continue to listen. The closure is called
  ///     before each event.
  func open(
    about topics: [String: [String]] = [:],
    while isAdmitted: @escaping @Sendable () -> Bool = { true }
  ) -> AsyncStream<String>? {
    let (stream, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(8))
    let number: Int? = state.withLock { state in
      guard !state.isClosed, state.listeners.count < Self.most else { return nil }
      state.opened += 1
      state.listeners[state.opened] = Listener(
        stream: continuation, topics: topics, isAdmitted: isAdmitted)
      if state.teller == nil { state.teller = Task { await self.tell() } }
      return state.opened
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    // After a lost connection, a browser waits for 2,000 ms before it connects again.
    continuation.yield("retry: 2000\n\n")
    return stream
  }

  /// Ends all streams permanently.
  func close() {
    let listeners = state.withLock { state in
      state.isClosed = true
      state.teller?.cancel()
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.stream.finish() }
  }

  private func leave(_ number: Int) {
    state.withLock { state in
      state.listeners[number] = nil
      guard state.listeners.isEmpty else { return }
      state.teller?.cancel()
      state.teller = nil
    }
  }

  private func tell() async {
    await withTaskGroup(of: Void.self) { group in
      for feed in feeds {
        let topics: @Sendable () -> [String] = { [weak self] in
          self?.topics(of: feed.name) ?? []
        }
        group.addTask {
          for await event in feed.begin(topics) where event.utf8.count <= Self.mostBytes {
            self.send(event)
            try? await Task.sleep(for: Self.feedPause)
          }
        }
      }
      while !Task.isCancelled {
        let next = ContinuousClock.now + pause
        send(await read())
        try? await Task.sleep(until: next, clock: .continuous)
      }
      group.cancelAll()
    }
  }

  private func send(_ event: String) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners {
      if listener.isAdmitted() { listener.stream.yield(event) } else { listener.stream.finish() }
    }
  }
}

/// The text format of server-sent events.
enum ServerEvent {
  /// Returns one event as text.
  ///
  /// - Parameters:
  ///   - name: the event's name, which consists of letters, digits and `-`.
  ///   - data: the event's data. Each line of the data becomes one data line.
  static func text(_ name: String, _ data: String) -> String {
    let lines = data.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "data: \($0)\n" }
    return "event: \(name)\n\(lines.joined())\n"
  }
}
