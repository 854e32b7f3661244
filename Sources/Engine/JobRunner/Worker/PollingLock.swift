import BatonPostgres
import RunnerSQL

/// The polling lock, which at most one worker per schema can hold.
///
/// While a worker has the polling lock, writers do not send wake-ups.
///
/// A worker holds the lock while events are so frequent that polls find events as early as wake-ups
/// would. If events are rare, a wake-up starts a run several milliseconds earlier than the next
/// poll would. A worker never waits for the lock. While a writer's open transaction blocks the
/// polling lock, no worker can take it. All workers then poll as usual, without the lock. The lock
/// is only an optimization. Even without the lock, polls ensure that no event is missed.
struct PollingLock {
  /// The time over which events are counted.
  private static let window = Duration.milliseconds(100)
  /// The minimum number of events within `window` at which a worker takes the lock.
  private static let many = 30
  /// The minimum number of events within `window` at which a worker keeps the lock.
  ///
  /// This threshold is smaller than ``many`` so that a constant rate of events does not repeatedly
  /// change the lock's state.
  private static let some = 15
  /// After a worker completes a run, it polls often for this time.
  static let memory = Duration.seconds(1)

  /// The maximum pause between two polls of a worker without the lock.
  private let longestPause: Duration
  private var heldOn: Connection?
  /// The connection that may hold the lock without being in `heldOn`, or nil.
  ///
  /// A failed statement can leave the lock with the session. The worker then releases the lock with
  /// its next poll. Otherwise, writers would not send wake-ups until the connection ended.
  private var uncertainOn: Connection?
  private var foundEvents = false
  /// Whether the last poll found due runs.
  private var foundDue = true
  /// Whether the dispatcher has skipped a poll, and has not polled since then.
  private var hasSkipped = false
  /// Whether the worker has needed the lock since it last tried to take it.
  private var isWanted = false
  /// The time when the worker last completed runs.
  private var workedAt: ContinuousClock.Instant?
  /// The times of the latest folds that found events, and the number of events in each fold.
  private var arrivals: [(at: ContinuousClock.Instant, events: Int)] = []
  /// The times of the latest passes that found no events.
  private var emptyPasses: [ContinuousClock.Instant] = []

  init(longestPause: Duration) { self.longestPause = longestPause }

  /// The maximum pause until the next poll.
  ///
  /// If several writers write at the same time, only one of them sends a wake-up. The other writers
  /// may commit their events only after the poll that follows the wake-up. To find the other
  /// writers' events, the worker polls again after 10 ms. The worker also polls often for 1 s after
  /// it completes runs, because completed runs can allow waiting runs to start.
  var pause: Duration {
    if isWanted || hasSkipped || (heldOn == nil ? !recent.isEmpty : foundEvents) {
      return .milliseconds(10)
    }
    let hasWorked = workedAt.map { $0.duration(to: .now) < Self.memory } ?? false
    return heldOn != nil || hasWorked ? .milliseconds(20) : longestPause
  }

  /// The end of the pause that begins now.
  ///
  /// After a fold, the time of the poll is part of the pause so that the poll does not delay the
  /// next fold's events. At least half of the pause remains, because the executors also need the
  /// server.
  var pauseEnd: ContinuousClock.Instant { max(passedAt + pause, .now + pause / 2) }

  /// The end of the last fold or, in a pass without a fold, the end of the poll.
  private var passedAt = ContinuousClock.now

  /// Records the time when the worker last completed runs.
  mutating func worked(at instant: ContinuousClock.Instant?) { workedAt = instant }

  /// Records the result of a fold.
  mutating func folded(_ folded: Folded) {
    foundEvents = folded.events > 0 || folded.hasMore
    passedAt = .now
    arrivals = recent
    if folded.events > 0 {
      arrivals.append((.now, folded.events))
    } else if !folded.hasMore {
      noteEmptyPass()
    }
    isWanted = heldOn == nil && areDense
  }

  private var recent: [(at: ContinuousClock.Instant, events: Int)] {
    arrivals.filter { $0.at.duration(to: .now) < Self.window }
  }

  /// Whether events are so frequent that the worker polls instead of waiting for wake-ups.
  ///
  /// Ten transactions of 30 events a second are as many events as 300 single writes a second. But
  /// the polls between them find nothing, and a wake-up would start the runs earlier. Events are
  /// therefore not frequent if most passes find none.
  private var areDense: Bool {
    let recent = recent
    return recent.reduce(0) { $0 + $1.events } >= (heldOn == nil ? Self.many : Self.some)
      && emptyPasses.count { $0.duration(to: .now) < Self.window } <= recent.count
  }

  private mutating func noteEmptyPass() {
    emptyPasses.removeAll { $0.duration(to: .now) >= Self.window }
    emptyPasses.append(.now)
  }

  /// Returns whether the worker folds events before the poll.
  ///
  /// The worker folds first if the worker has the lock and its last poll found events. After a
  /// wake-up by a writer, the worker also folds first unless it needs the lock. A worker that needs
  /// the lock polls first, because the lock is taken together with a poll.
  func foldsFirst(isTold: Bool, on connection: Connection) -> Bool {
    isTold && !isWanted || foundEvents && heldOn === connection
  }

  /// Returns whether the dispatcher skips the poll after a fold.
  ///
  /// A poll immediately after a fold would use the processor and the server while executors claim
  /// the new runs. The dispatcher never skips two polls in a row, and the next poll follows within
  /// 10 ms. After a fold, executors are woken only for the new runs' jobs. If the last poll found
  /// due runs, the runs may belong to other jobs, so the dispatcher does not skip the poll.
  mutating func skipsPoll() -> Bool {
    guard !foundDue, !hasSkipped else { return false }
    hasSkipped = true
    return true
  }

  /// Records that the worker may have lost the lock, because the connection broke, a statement
  /// failed or a response was lost.
  mutating func forget() {
    if let heldOn { uncertainOn = heldOn }
    heldOn = nil
  }

  /// Takes or releases the lock if necessary, and then polls, in one round trip.
  ///
  /// - Parameter hasFolded: whether the worker has folded events in this pass. If `hasFolded` is
  ///   true, the method only polls, and does not take or release the lock.
  mutating func poll(
    _ queue: Queue, hasFolded: Bool
  ) async throws(PostgresError) -> QueueCalls.Poll {
    let poll = try await hasFolded ? queue.poll() : pollAndChange(queue)
    if !hasFolded { passedAt = .now }
    hasSkipped = false
    foundDue = poll.hasDue
    return poll
  }

  /// Takes or releases the lock, and then polls.
  private mutating func pollAndChange(
    _ queue: Queue
  ) async throws(PostgresError) -> QueueCalls.Poll {
    let connection = queue.session.connection
    // When a connection ends, its locks are released.
    if heldOn !== connection { heldOn = nil }
    if uncertainOn !== connection { uncertainOn = nil }
    isWanted = false
    let poll: QueueCalls.Poll
    if uncertainOn != nil || heldOn != nil && !areDense {
      forget()
      // This poll finds all events that were committed before the lock was released. Writers send
      // wake-ups for events that are committed after the lock has been released.
      poll = try await queue.poll(behind: .run(SQL.Workers.endAwake)).1
      uncertainOn = nil
    } else if heldOn == nil, areDense, await connection.isDirect {
      uncertainOn = connection
      let isOurs: Bool
      (isOurs, poll) = try await queue.poll(behind: QueueCalls.stayAwake)
      uncertainOn = nil
      heldOn = isOurs ? connection : nil
    } else {
      poll = try await queue.poll()
    }
    foundEvents = poll.hasEvents
    if !poll.hasEvents { noteEmptyPass() }
    return poll
  }
}
