import BatonJobs
import BatonPostgres
import Logging
import RunnerSQL
import Synchronization

/// A worker's registration in a schema, together with its heartbeats and maintenance tasks.
///
/// Each `baton worker` process, and each drain, manual run and trace, has a registration. If a
/// registered process dies, other workers reclaim its runs.
final class Registration: Sendable {
  /// The intervals of a worker's maintenance tasks.
  struct Pace: Sendable {
    let activity, rotation: Duration
    /// The interval at which the worker searches for batches that have ended.
    var batches = Duration.milliseconds(500)
    /// The interval at which the worker also searches for batches that became due a long time ago.
    var oldBatches = Duration.seconds(30)

    /// The intervals for a worker with a separate control connection.
    static let ofWorker = Pace(activity: .seconds(1), rotation: .seconds(10))
    /// The intervals for a process that performs the maintenance tasks between two batches.
    static let ofDrainer = Pace(activity: .seconds(2), rotation: .seconds(2))
  }

  private struct State {
    /// The connection on which the worker was last registered.
    var enteredOn: Connection?
    /// The server process of the dispatcher's connection when the worker was registered, or nil if
    /// that connection was not open.
    var dispatcher: Int32?
    /// The connection that receives wake-ups from writers.
    var listensOn: Connection?
    /// Whether the heartbeat connection is open and sends the heartbeats.
    var isBeating = false
    /// The reason for the worker's stored failure, or nil if no failure is stored.
    var storedFailure: String?
    /// Whether the worker's row contains any failures.
    var storesFailures = false
    var lastHeartbeat = ContinuousClock.now
    var lastActivity = ContinuousClock.now
    var lastRotation = ContinuousClock.now
    var lastBatches = ContinuousClock.now
    /// The initial value is in the past, so a worker's first pass also searches for old batches.
    var lastOldBatches = ContinuousClock.now - .seconds(3_600)
    /// The time until the next search for old batches, or nil for `Pace.oldBatches`.
    var pauseOfOldBatches: Duration?
    /// The earliest time of the next search for runs of unregistered workers.
    var nextLostRuns = ContinuousClock.now
    /// The duration of the last search for runs of unregistered workers that found nothing.
    var lostRunSearch = Duration.zero
    /// The page of `recent_run` where the next removal of old rows begins.
    var recentPage: Int64 = 0
    /// The page of `limit_start` where the next removal of old rows begins.
    var startPage: Int64 = 0
    /// The page of `occurrence` where the next removal of old rows begins.
    var occurrencePage: Int64 = 0
    /// The last schedule whose stored occurrence was checked.
    ///
    /// The next check of stored occurrences continues after this schedule.
    var schedulePlace = SchedulePlace()
    /// The last group that was checked for a missing turn.
    ///
    /// The next check for missing turns continues after this group.
    var heldGroup = Queue.HeldGroup()
  }

  let worker: WorkerContext
  /// The session that folds and polls.
  let control: ReconnectingSession
  private let pace: Pace
  /// Whether writers may wake the worker.
  ///
  /// A worker with a pooled connection cannot be woken.
  private let listens: Bool
  private let state = Mutex(State())

  /// Creates the registration of a worker.
  ///
  /// The initializer does not open a connection or register the worker.
  init(
    of worker: WorkerContext, on configuration: ConnectionConfiguration, in schema: Schema,
    pace: Pace = .ofWorker, listens: Bool = false
  ) {
    self.worker = worker
    self.pace = pace
    self.listens = listens
    control = ReconnectingSession(configuration, in: schema, logger: worker.logger)
  }

  /// Creates an executor with a separate connection.
  ///
  /// - Parameter sharesThread: whether the executor uses the thread of the registration's
  ///   connection. The caller must not use both connections at the same time.
  func makeExecutor(sharesThread: Bool = false) -> RunExecutor {
    RunExecutor(of: worker, on: control.another(sharesThread: sharesThread))
  }

  /// Creates an executor for each effect job.
  ///
  /// The executors share the sessions that complete their runs.
  func makeEffectExecutors() -> (executors: [RunExecutor], sessions: SessionPool) {
    let jobs = worker.jobs.filter(\.definition.isEffect)
    let sessions = SessionPool(of: control)
    let threads = worker.threadPool(
      jobs.reduce(0) { $0 + ($1.definition.concurrency ?? 0) }, name: "baton effect")
    let executors = jobs.map { job in
      let crew = EffectCrew(
        of: job.definition, count: job.definition.concurrency ?? 1, worker: worker,
        sessions: sessions, threads: threads)
      return RunExecutor(of: job, by: crew, worker: worker, on: control.another())
    }
    return (executors, sessions)
  }

  /// Creates an executor that shares the registration's connection.
  ///
  /// The caller must not use the shared connection for anything else at the same time.
  func makeSharingExecutor() -> RunExecutor { RunExecutor(of: worker, on: control) }

  // MARK: Registering and unregistering

  /// Whether the connection of ``Heartbeat`` is open and sends the heartbeats.
  var isBeating: Bool {
    get { state.withLock { $0.isBeating } }
    set { state.withLock { $0.isBeating = newValue } }
  }

  /// Registers the worker on the given session's connection.
  ///
  /// If the connection is direct, other workers consider the worker dead when the connection's
  /// server process no longer exists.
  func enter(on session: Session) async throws(PostgresError) {
    let isDirect = await session.connection.isDirect
    let process = control.process
    let dispatcher = isDirect ? process : nil
    let began = ContinuousClock.now
    let clock = try await session.atomically(
      .run(
        SQL.Workers.register, worker.identity.id, worker.identity.name, isDirect,
        isDirect && listens, worker.hasEffects, dispatcher, worker.release?.program,
        worker.release.map { Int32($0.number) }, worker.release?.fingerprint, worker.jobNames),
      .run(SQL.Workers.noteListeners), QueueCalls.readClock
    ).2
    worker.serverClock.learn(clock)
    worker.lease.renew(from: began)
    // Another worker may have removed the stored common failures together with the registration.
    worker.commonFailures.storeAgain()
    state.withLock { state in
      if state.enteredOn == nil { (state.lastActivity, state.lastRotation) = (.now, .now) }
      state.enteredOn = session.connection
      state.dispatcher = process
      state.lastHeartbeat = began
    }
  }

  /// Sends a heartbeat if one is due, and registers the worker if it is not registered on the
  /// session's connection.
  func beat(on session: Session) async throws(PostgresError) {
    let (enteredOn, dispatcher, last) = state.withLock {
      ($0.enteredOn, $0.dispatcher, $0.lastHeartbeat)
    }
    guard enteredOn === session.connection else { return try await enter(on: session) }
    // If the dispatcher's process is not registered, other workers consider the worker dead after a
    // brief loss of the heartbeat connection.
    guard dispatcher == control.process else { return try await enter(on: session) }
    guard last.duration(to: .now) >= Heartbeat.pace else { return }
    let began = ContinuousClock.now
    let (count, clock) = try await session.atomically(
      .count(SQL.Workers.heartbeat, worker.identity.id), QueueCalls.readClock)
    worker.serverClock.learn(clock)
    guard count > 0 else { return try await enter(on: session) }
    worker.lease.renew(from: began)
    state.withLock { $0.lastHeartbeat = began }
  }

  /// Registers the worker if necessary, and listens on the session's connection if writers may wake
  /// it.
  ///
  /// If the heartbeat connection cannot be opened, the session's connection sends the heartbeats.
  func stayEntered(on session: Session) async throws(PostgresError) {
    if !isBeating { try await beat(on: session) }
    if !isBeating { await storeFailures(on: session) }
    guard listens, state.withLock({ $0.listensOn !== session.connection }) else { return }
    if await session.connection.isDirect { try await session.atomically(.run(SQL.Workers.listen)) }
    state.withLock { $0.listensOn = session.connection }
  }

  /// Stores the counts of completed runs, and unregisters the worker.
  ///
  /// The method first returns the runs of abandoned claims to the queue. If these runs belonged to
  /// an unregistered worker, another worker would count a crash of each run.
  func leave(on session: Session) async throws(PostgresError) {
    do {
      try await releaseUnknown(on: session)
    } catch {
      worker.failures.note(error, "cannot release runs", with: worker.logger)
    }
    try await worker.activity.write(on: session)
    try await session.atomically(
      .run(SQL.Workers.unregister, worker.identity.id), .run(SQL.Workers.noteListeners))
    state.withLock { state in
      state.enteredOn = nil
      state.listensOn = nil
    }
  }

  /// Returns the runs of abandoned claims to the queue, if there may be any.
  private func releaseUnknown(on session: Session) async throws(PostgresError) {
    guard worker.identity.claims.isInDoubt else { return }
    let began = ContinuousClock.now
    try await Queue(session, for: worker).releaseUnknown(to: worker.identity)
    worker.identity.claims.released(since: began)
  }

  // MARK: Maintenance

  /// Performs the due maintenance tasks: stores the counts of completed runs, and maintains the
  /// queue.
  func keep(on session: Session) async throws {
    let queue = Queue(session, for: worker)
    if isDue(\.lastActivity, after: pace.activity) {
      try await releaseUnknown(on: session)
      try await worker.activity.write(on: session)
    }
    if isDue(\.lastBatches, after: pace.batches) { await advanceBatches(queue) }
    if isDue(\.lastRotation, after: pace.rotation) {
      await rotate(queue)
      try await tidy(queue)
      let (back, place) = try await queue.followClock(
        of: worker.jobs, after: state.withLock { $0.schedulePlace })
      state.withLock { $0.schedulePlace = place }
      if let back {
        worker.logger.warning(
          "the server's clock was set back by \(back); waits of runs were shortened")
      }
      // After a worker is killed, a listener that no longer exists may still be recorded in the
      // schema.
      _ = try await session.atomically(
        .run(SQL.Workers.noteListeners), QueueCalls.register(worker.jobs))
      try await reclaimUnregistered(queue)
    }
  }

  /// Releases the runs of unregistered workers, if there are any.
  ///
  /// While an old transaction is open, the search reads an index entry for each run that a stopped
  /// worker has completed. After a search that found nothing, the pause is 50 times as long as the
  /// shorter one of the last two such searches, but at most 5 minutes. A single slow search, for
  /// example on a busy server, therefore causes no pause.
  private func reclaimUnregistered(_ queue: Queue) async throws {
    let began = ContinuousClock.now
    guard state.withLock({ $0.nextLostRuns <= began }) else { return }
    if try await queue.hasLostRuns() {
      _ = try await queue.reclaim(by: worker)
    } else {
      let now = ContinuousClock.now
      let took = began.duration(to: now)
      state.withLock {
        let pause = min(min(took, $0.lostRunSearch) * 50, Self.longestPauseOfLostRuns)
        ($0.lostRunSearch, $0.nextLostRuns) = (took, now + pause)
      }
    }
  }

  /// The maximum pause after a slow search for runs of unregistered workers.
  private static let longestPauseOfLostRuns = Duration.seconds(300)

  /// Removes outdated rows from `recent_run`, `limit_start` and `occurrence`.
  ///
  /// The method also adds a turn for each group that has both waiting runs and a rate limit, but no
  /// turn yet, and removes duplicate turns.
  private func tidy(_ queue: Queue) async throws(PostgresError) {
    let (recentPage, startPage, occurrencePage, heldGroup) = state.withLock {
      ($0.recentPage, $0.startPage, $0.occurrencePage, $0.heldGroup)
    }
    let nextRecent = try await queue.forgetRecentRuns(from: recentPage)
    let nextStart = try await queue.forgetStarts(from: startPage)
    let nextOccurrence = try await queue.forgetRemoved(from: occurrencePage)
    let nextGroup = try await queue.addTurns(after: heldGroup)
    state.withLock {
      ($0.recentPage, $0.startPage, $0.heldGroup) = (nextRecent, nextStart, nextGroup)
      $0.occurrencePage = nextOccurrence
    }
  }

  /// Stores the worker's failure and the common failures if the stored values are outdated.
  ///
  /// This method runs on the heartbeat connection, because the dispatcher may be the part that is
  /// failing. Errors are only logged, so the heartbeats continue.
  func storeFailures(on session: Session) async {
    let failure = worker.failure
    let (reason, storesFailures) = state.withLock { ($0.storedFailure, $0.storesFailures) }
    if reason != failure?.reason { worker.commonFailures.storeAgain() }
    guard let jobs = worker.commonFailures.takeChange() else { return }
    let failing = jobs + (failure.map { [$0] } ?? [])
    guard storesFailures || !failing.isEmpty else { return }
    do {
      _ = try await session.atomically(QueueCalls.recordFailures(failing, of: worker.identity.id))
      state.withLock { ($0.storedFailure, $0.storesFailures) = (failure?.reason, !failing.isEmpty) }
    } catch {
      worker.commonFailures.storeAgain()
      worker.failures.note(error, "cannot store failures", with: worker.logger)
    }
  }

  private func isDue(
    _ last: WritableKeyPath<State, ContinuousClock.Instant>, after pause: Duration
  ) -> Bool {
    state.withLock { state in
      guard state[keyPath: last].duration(to: .now) > pause else { return false }
      state[keyPath: last] = .now
      return true
    }
  }

  /// Cancels this worker's attempts whose runs have a cancellation request.
  ///
  /// - Parameter patience: how long to wait for locks, or nil for the server's `lock_timeout`.
  func endCancelled(_ queue: Queue, patience: Duration? = nil) async throws(PostgresError) {
    worker.inHand.cancel(
      try await queue.cancelled(of: worker.identity.id, patience: patience))
  }

  /// Counts the ended members of batches.
  ///
  /// Errors are only logged, so one faulty batch does not stop the dispatch of all events.
  private func advanceBatches(_ queue: Queue) async {
    let pause = state.withLock { $0.pauseOfOldBatches } ?? pace.oldBatches
    let reachesBack = isDue(\.lastOldBatches, after: pause)
    let began = ContinuousClock.now
    do {
      let hasMore = try await queue.passOverBatches(reachesBack: reachesBack).hasMore
      guard reachesBack else { return }
      // If old batches remain, the next search for them begins soon. While an old transaction is
      // open, the search can take seconds, so it takes at most a quarter of the time.
      let next: Duration? = hasMore ? min(began.duration(to: .now) * 4, pace.oldBatches) : nil
      state.withLock { $0.pauseOfOldBatches = next }
    } catch {
      worker.failures.note(error, "batches cannot be advanced", with: worker.logger)
    }
  }

  /// Rotates the event log, and logs any rotation error without throwing it.
  ///
  /// If a rotation fails, the event log grows until an operator fixes the cause.
  private func rotate(_ queue: Queue) async {
    do {
      try await queue.rotate()
    } catch {
      worker.failures.note(error, "the event log cannot be rotated", with: worker.logger)
    }
  }
}
