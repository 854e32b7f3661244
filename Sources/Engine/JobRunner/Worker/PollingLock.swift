import BatonPostgres
import RunnerSQL

/// The lock of the polling worker: while a worker holds it, writers send no wake-up.
///
/// One worker at a time has it, for a second after it worked or folded, and polls almost without a pause. A worker
/// tries to get the lock and never waits for it: a writer may hold it in an open transaction, and the workers then
/// poll as they do without a polling worker. The lock only saves time; correctness depends on polls alone.
struct PollingLock {
  /// How long a worker without work keeps polling.
  private static let length = Duration.seconds(1)

  /// The longest pause between two polls of a worker that does not hold the lock.
  private let longestPause: Duration
  private var heldOn: Connection?
  private var until = ContinuousClock.now
  private var foundEvents = false
  /// Whether there was work since the last try to get the lock.
  private var isWanted = false

  init(longestPause: Duration) { self.longestPause = longestPause }

  /// The longest pause until the next poll.
  var pause: Duration {
    guard heldOn != nil || isWanted else { return longestPause }
    return foundEvents || isWanted ? .milliseconds(10) : .milliseconds(20)
  }

  /// Call it with the time at which there was work.
  mutating func stay(since instant: ContinuousClock.Instant) {
    guard instant + Self.length > until else { return }
    until = instant + Self.length
    isWanted = heldOn == nil
  }

  /// Call it after a fold with the number of its events.
  mutating func folded(_ events: Int) {
    foundEvents = events > 0
    if foundEvents { stay(since: .now) }
  }

  /// Whether to fold before the poll: a writer reported events, or the holder of the lock found some the last time.
  ///
  /// If the lock is wanted, it returns false, because only a poll tries to get it.
  func foldsFirst(isTold: Bool, on connection: Connection) -> Bool {
    isTold && !isWanted || foundEvents && heldOn === connection
  }

  /// Call it when the state of the connection is unknown: it broke, or an answer was lost.
  mutating func forget() { heldOn = nil }

  /// Polls; in the same round trip and before the poll, it takes the lock or gives it back.
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
      // Each event that commits from here on sends a wake-up; earlier ones are in this poll.
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
