/// The topics whose last read was cancelled because it took too long.
///
/// A slow topic is read separately, so that it does not delay other topics in the same call. Each
/// additional timeout doubles the pause before the next attempt to read a slow topic. All slow
/// topics share one queue. The time lost to timeouts is limited even if every topic is slow, for
/// example while a table is locked.
struct SlowTopics<Topic: Hashable & Sendable>: Sendable {
  /// The maximum pause after a timeout.
  static var longestPause: Duration { .seconds(8) }

  /// The topics in the order in which they are tried next.
  private var queue: [Topic] = []
  private var members: Set<Topic> = []
  private var pause = Duration.zero
  private var notBefore = ContinuousClock.now

  func contains(_ topic: Topic) -> Bool { members.contains(topic) }

  /// Returns the topic to read next, or nil if the pause has not ended yet.
  func next(at now: ContinuousClock.Instant = .now) -> Topic? {
    now < notBefore ? nil : queue.first
  }

  mutating func add(_ topics: some Sequence<Topic>) {
    for topic in topics where members.insert(topic).inserted { queue.append(topic) }
  }

  /// Removes a topic that was read or has failed, and ends the pause.
  mutating func finish(_ topic: Topic) {
    remove(topic)
    (pause, notBefore) = (.zero, .now)
  }

  /// Removes a topic that no longer has observers.
  mutating func remove(_ topic: Topic) {
    if members.remove(topic) != nil { queue.removeAll { $0 == topic } }
  }

  /// Moves a topic to the end of the queue after another timeout.
  ///
  /// - Parameter timeout: the duration of the attempt, which is also the first pause.
  mutating func timedOut(_ topic: Topic, after timeout: Duration) {
    guard members.contains(topic) else { return }
    queue.removeAll { $0 == topic }
    queue.append(topic)
    pause = min(max(timeout, pause * 2), Self.longestPause)
    notBefore = .now + pause
  }
}
