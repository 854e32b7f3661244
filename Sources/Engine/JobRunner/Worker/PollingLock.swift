import BatonPostgres
import RunnerSQL

/// The lock of the polling worker.
///
/// While a worker has the lock, writers send no wake-ups.
///
/// Only one worker at a time has the lock. A worker that processes runs or folds events tries to
/// take the lock, polls with short pauses, and releases the lock after 1 s without work. A worker
/// never waits for the lock. If an open transaction of a writer blocks the lock, all workers poll
/// as if there were no polling worker. The lock only saves time, and correctness depends on polls
/// alone.
struct PollingLock {
  /// How long a worker keeps the lock without work.
  private static let length = Duration.seconds(1)

  /// The longest pause between two polls of a worker without the lock.
  private let longestPause: Duration
  private var heldOn: Connection?
  private var until = ContinuousClock.now
  private var foundEvents = false
  /// Whether there was work since the last try to take the lock.
  private var isWanted = false

  init(longestPause: Duration) { self.longestPause = longestPause }

  /// The longest pause until the next poll.
  var pause: Duration {
    guard heldOn != nil || isWanted else { return longestPause }
    return foundEvents || isWanted ? .milliseconds(10) : .milliseconds(20)
  }

  /// Extends the time for which the worker wants the lock.
  ///
  /// - Parameter instant: the time of the worker's last work.
  mutating func stay(since instant: ContinuousClock.Instant) {
    guard instant + Self.length > until else { return }
    until = instant + Self.length
    isWanted = heldOn == nil
  }

  /// Records the result of a fold.
  mutating func folded(_ folded: Folded) {
    foundEvents = folded.events > 0 || folded.hasMore
    if foundEvents { stay(since: .now) }
  }

  /// Returns whether to fold before the poll.
  ///
  /// The result is true if a writer reported events, or if this worker has the lock and found
  /// events the last time. If the worker wants to take the lock, the result is false, because only
  /// a poll tries to take the lock.
  func foldsFirst(isTold: Bool, on connection: Connection) -> Bool {
    isTold && !isWanted || foundEvents && heldOn === connection
  }

  /// Records that the lock may be lost, because the connection broke or a response was lost.
  mutating func forget() { heldOn = nil }

  /// Polls, and takes or releases the lock in the same round trip before the poll.
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
      // Each event that commits after the release sends a wake-up, and this poll finds the earlier
      // events.
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
