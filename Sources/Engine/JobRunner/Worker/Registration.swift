import BatonJobs
import BatonPostgres
import Logging
import RunnerSQL
import Synchronization

/// A worker's registration in its schema: it registers, sends a heartbeat every few seconds, and unregisters.
///
/// A process of `baton worker` has one, and so have a drain, a manual run and a trace. If such a process dies, its
/// runs are taken over.
final class Registration: Sendable {
  /// How often it does its tasks besides the work.
  struct Pace: Sendable {
    let activity, heartbeat, rotation: Duration

    /// For a process that only works.
    static let ofWorker = Pace(
      activity: .seconds(1), heartbeat: .seconds(5), rotation: .seconds(10))
    /// For a process that works and sends heartbeats on the same connection, between two batches.
    static let ofDrainer = Pace(
      activity: .seconds(2), heartbeat: .seconds(2), rotation: .seconds(2))
  }

  private struct State {
    /// The connection on which the worker was last registered.
    var enteredOn: Connection?
    var lastHeartbeat = ContinuousClock.now
    var lastActivity = ContinuousClock.now
    var lastRotation = ContinuousClock.now
  }

  let worker: WorkerContext
  /// The session on which it is registered.
  let control: ReconnectingSession
  private let pace: Pace
  /// Whether writers may wake it, if it has a connection of its own.
  private let listens: Bool
  private let state = Mutex(State())

  /// Makes a worker that is not registered yet; nothing is opened.
  init(
    of worker: WorkerContext, on configuration: ConnectionConfiguration, in schema: Schema,
    pace: Pace = .ofWorker, listens: Bool = false
  ) {
    self.worker = worker
    self.pace = pace
    self.listens = listens
    control = ReconnectingSession(configuration, in: schema, logger: worker.logger)
  }

  /// Makes an executor with a connection of its own.
  func makeExecutor() -> RunExecutor { RunExecutor(of: worker, on: control.another()) }

  /// Makes the executors of the effect jobs; they share the sessions that end their runs.
  func makeEffectExecutors() -> (executors: [EffectExecutor], sessions: SessionPool) {
    let jobs = worker.jobs.filter(\.definition.isEffect)
    let sessions = SessionPool(of: control, count: 2)
    let threads = EffectThreads(jobs.reduce(0) { $0 + ($1.definition.concurrency ?? 0) })
    let executors = jobs.map {
      EffectExecutor(
        $0, of: worker, on: control.another(), sessions: sessions, threads: threads)
    }
    return (executors, sessions)
  }

  /// Makes an executor that shares the connection of the registration, for a caller that works nothing else
  /// meanwhile.
  func makeSharingExecutor() -> RunExecutor { RunExecutor(of: worker, on: control) }

  // MARK: Entering and leaving

  /// Registers the worker.
  func enter(on session: Session) async throws(PostgresError) {
    let hasOwn = await session.connection.isDirect
    let began = ContinuousClock.now
    let register = Call<Void>.run(
      SQL.Workers.register, worker.identity.id, worker.identity.name, hasOwn && !worker.hasEffects,
      hasOwn && listens)
    let clock =
      if hasOwn, listens {
        try await session.atomically(
          register, .run(SQL.Workers.noteListeners), .run(SQL.Workers.listen), QueueCalls.readClock
        ).3
      } else {
        try await session.atomically(register, QueueCalls.readClock).1
      }
    worker.serverClock.learn(clock)
    worker.lease.renew(from: began)
    state.withLock { state in
      if state.enteredOn == nil { state = State() }
      state.enteredOn = session.connection
    }
  }

  /// Registers the worker, unless it was last registered through this connection.
  func stayEntered(on session: Session) async throws(PostgresError) {
    guard state.withLock({ $0.enteredOn !== session.connection }) else { return }
    try await enter(on: session)
  }

  /// Stores the activity and unregisters the worker.
  func leave(on session: Session) async throws(PostgresError) {
    try await worker.activity.write(on: session)
    try await session.atomically(
      .run(SQL.Workers.unregister, worker.identity.id), .run(SQL.Workers.noteListeners))
    state.withLock { $0.enteredOn = nil }
  }

  // MARK: Living

  /// Does the due tasks besides the work: sends the heartbeat, stores the activity, and maintains the queue.
  func keep(on session: Session) async throws {
    let queue = Queue(session)
    if isDue(\.lastActivity, after: pace.activity) {
      if worker.identity.claims.isInDoubt { try await queue.releaseUnknown(to: worker.identity) }
      try await worker.activity.write(on: session)
    }
    if isDue(\.lastHeartbeat, after: pace.heartbeat), try await !beat(on: session) {
      try await enter(on: session)
    }
    if isDue(\.lastRotation, after: pace.rotation) {
      await rotate(queue)
      try await queue.forgetRecentRuns()
      // A killed worker has not reported that it no longer listens.
      try await session.atomically(.run(SQL.Workers.noteListeners))
      // Runs of an unregistered worker are searched only here: a search on every tick is not worth its cost.
      _ = try await queue.reclaim()
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

  /// Sends a heartbeat; returns false if the worker was unregistered meanwhile.
  private func beat(on session: Session) async throws(PostgresError) -> Bool {
    let began = ContinuousClock.now
    guard try await session.atomically(.count(SQL.Workers.heartbeat, worker.identity.id)) > 0 else {
      return false
    }
    worker.lease.renew(from: began)
    return true
  }

  /// Cancels the work on runs of this worker whose cancellation was requested.
  func endCancelled(_ queue: Queue) async throws(PostgresError) {
    worker.inHand.cancel(try await queue.cancelled(of: worker.identity.id))
  }

  /// Sends heartbeats and cancels requested runs until its task is cancelled.
  ///
  /// It has a connection of its own, which short work never opens. It is for a process that works on its only
  /// connection and does not poll meanwhile. Without it, another worker would take over steps that together last
  /// longer than 18 s, and they could not be cancelled.
  func watchBesideWork() async {
    let watching = control.another()
    var looks = 0
    while (try? await Task.sleep(for: .seconds(1))) != nil {
      looks += 1
      guard let session = try? await watching.session() else { continue }
      try? await endCancelled(Queue(session))
      if looks.isMultiple(of: 5) { _ = try? await beat(on: session) }
    }
    await watching.close()
  }

  /// Rotates the event log; an error is only logged, because the log just grows until an operator fixes the cause.
  private func rotate(_ queue: Queue) async {
    do {
      try await queue.rotate()
    } catch {
      worker.logger.warning("the event log cannot be rotated: \(error)")
    }
  }
}
