import BatonPostgres
import RunnerSQL

/// The lock of the polling worker: while a worker holds it, writers send no wake-up.
///
/// One worker at a time has it, for a second after it worked or folded, and polls without a pause to speak
/// of. It is tried for and never waited for: behind a writer that has it and stays open, workers poll as they
/// do without a polling worker. All that it brings is time; what there is to do shows in a poll alone.
struct PollingLock {
  /// How long a worker stays awake with nothing to do.
  private static let length = Duration.seconds(1)

  /// The longest pause between two looks of a worker that does not hold the lock.
  private let longestPause: Duration
  private var heldOn: Connection?
  private var until = ContinuousClock.now
  private var foundEvents = false
  /// Whether there was something to do since it was last tried for.
  private var isWanted = false

  init(longestPause: Duration) { self.longestPause = longestPause }

  /// The longest pause until the next poll.
  var pause: Duration {
    guard heldOn != nil || isWanted else { return longestPause }
    return foundEvents || isWanted ? .milliseconds(10) : .milliseconds(20)
  }

  /// There was something to do then.
  mutating func stay(since instant: ContinuousClock.Instant) {
    guard instant + Self.length > until else { return }
    until = instant + Self.length
    isWanted = heldOn == nil
  }

  /// A fold found so many events.
  mutating func folded(_ events: Int) {
    foundEvents = events > 0
    if foundEvents { stay(since: .now) }
  }

  /// Whether to fold ahead of a look: there are events, because a writer said so or because there always were.
  ///
  /// Not where the lock is wanted: it is tried for with a poll.
  func foldsFirst(isTold: Bool, on connection: Connection) -> Bool {
    isTold && !isWanted || foundEvents && heldOn === connection
  }

  /// What was known of the connection may be wrong: it broke, or an answer was lost.
  mutating func forget() { heldOn = nil }

  /// Looks at what there is to do; takes the lock or gives it back in the same round trip, ahead of the poll.
  mutating func poll(_ queue: Queue) async throws(PostgresError) -> QueueCalls.Poll {
    let connection = queue.session.connection
    if heldOn !== connection { heldOn = nil }
    isWanted = false
    let poll: QueueCalls.Poll
    switch (heldOn != nil, .now < until) {
    case (true, true), (false, false):
      poll = try await queue.poll()
    case (true, false):
      heldOn = nil
      // An event that commits from here on wakes somebody; one that came before is in this poll.
      poll = try await queue.poll(behind: .run(SQL.Workers.endAwake)).1
    case (false, true):
      guard await connection.isDirect else { return try await queue.poll() }
      let isOurs: Bool
      (isOurs, poll) = try await queue.poll(behind: QueueCalls.stayAwake)
      heldOn = isOurs ? connection : nil
    }
    foundEvents = poll.hasEvents
    return poll
  }
}
