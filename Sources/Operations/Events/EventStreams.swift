import Synchronization

/// Those who are told what happens for as long as they listen: server-sent events.
///
/// What all of them are told is read once, and only while somebody listens.
final class EventStreams: Sendable {
  /// At once; more are refused, and ask now and then instead.
  static let most = 16

  private struct State {
    var streams: [Int: AsyncStream<String>.Continuation] = [:]
    var opened = 0
    var teller: Task<Void, Never>?
    var isClosed = false
  }

  private let state = Mutex(State())
  private let pause: Duration
  private let read: @Sendable () async -> String
  private let feeds: [@Sendable () -> AsyncStream<String>]

  /// - Parameters:
  ///   - pause: between two events of what is read.
  ///   - read: a whole event.
  ///   - feeds: whole events of others; each is begun when somebody comes and nobody was there.
  init(
    every pause: Duration = .seconds(1), feeds: [@Sendable () -> AsyncStream<String>] = [],
    read: @escaping @Sendable () async -> String
  ) {
    (self.pause, self.feeds, self.read) = (pause, feeds, read)
  }

  /// How many listen.
  var count: Int { state.withLock(\.streams.count) }

  /// Events from now on; nil where too many listen already, or it is closed.
  ///
  /// Who does not take them misses some: the newest are kept.
  func open() -> AsyncStream<String>? {
    let (stream, continuation) = AsyncStream<String>.makeStream(
      bufferingPolicy: .bufferingNewest(8))
    let number: Int? = state.withLock { state in
      guard !state.isClosed, state.streams.count < Self.most else { return nil }
      state.opened += 1
      state.streams[state.opened] = continuation
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
    let streams = state.withLock { state in
      state.isClosed = true
      state.teller?.cancel()
      return Array(state.streams.values)
    }
    for stream in streams { stream.finish() }
  }

  private func leave(_ number: Int) {
    state.withLock { state in
      state.streams[number] = nil
      guard state.streams.isEmpty else { return }
      state.teller?.cancel()
      state.teller = nil
    }
  }

  private func tell() async {
    await withTaskGroup(of: Void.self) { group in
      for feed in feeds {
        group.addTask { for await event in feed() { self.send(event) } }
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
    let streams = state.withLock { Array($0.streams.values) }
    for stream in streams { stream.yield(event) }
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
