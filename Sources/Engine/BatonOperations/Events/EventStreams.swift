import Synchronization

/// Those who are told what happens for as long as they listen: server-sent events.
///
/// What all of them are told is read once, and only while somebody listens.
final class EventStreams: Sendable {
  /// At once; more are refused, and ask now and then instead.
  static let most = 16

  /// What others tell, whole events; begun when somebody comes and nobody was there.
  struct Feed: Sendable {
    let name: String
    /// - Parameter topics: what those who listen look at.
    let begin: @Sendable (_ topics: @escaping @Sendable () -> Set<String>) -> AsyncStream<String>
  }

  private struct Listener {
    let stream: AsyncStream<String>.Continuation
    /// What it looks at, by the names of feeds.
    let topics: [String: [String]]
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

  /// - Parameters:
  ///   - pause: between two events of what is read.
  ///   - read: a whole event.
  ///   - feeds: whose events are told among it.
  init(
    every pause: Duration = .seconds(1), feeds: [Feed] = [],
    read: @escaping @Sendable () async -> String
  ) {
    (self.pause, self.feeds, self.read) = (pause, feeds, read)
  }

  /// How many listen.
  var count: Int { state.withLock(\.listeners.count) }

  /// What those who listen look at, of a feed.
  func topics(of feed: String) -> Set<String> {
    state.withLock { state in Set(state.listeners.values.flatMap { $0.topics[feed] ?? [] }) }
  }

  /// Events from now on; nil where too many listen already, or it is closed.
  ///
  /// Who does not take them misses some: the newest are kept.
  ///
  /// - Parameter topics: what is looked at, by the names of feeds.
  func open(about topics: [String: [String]] = [:]) -> AsyncStream<String>? {
    let (stream, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(8))
    let number: Int? = state.withLock { state in
      guard !state.isClosed, state.listeners.count < Self.most else { return nil }
      state.opened += 1
      state.listeners[state.opened] = Listener(stream: continuation, topics: topics)
      if state.teller == nil { state.teller = Task { await self.tell() } }
      return state.opened
    }
    guard let number else { return nil }
    continuation.onTermination = { [weak self] _ in self?.leave(number) }
    // Behind a loss a browser comes back after so many milliseconds.
    continuation.yield("retry: 2000\n\n")
    return stream
  }

  /// Ends all of them, for good.
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
        let topics: @Sendable () -> Set<String> = { [weak self] in
          self?.topics(of: feed.name) ?? []
        }
        group.addTask { for await event in feed.begin(topics) { self.send(event) } }
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
    for listener in listeners { listener.stream.yield(event) }
  }
}

/// One event, as it is sent.
enum ServerEvent {
  /// - Parameters:
  ///   - name: letters, digits and `-`.
  ///   - data: of several lines each is one.
  static func text(_ name: String, _ data: String) -> String {
    let lines = data.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "data: \($0)\n" }
    return "event: \(name)\n\(lines.joined())\n"
  }
}
