import BatonJobs
import BatonPostgres
import Logging
import RunnerSQL
import Synchronization

/// A worker's registration among the workers of its schema: it enters, says every few seconds that it lives, and
/// leaves.
///
/// A process of `baton worker` has one, and a drain, a run by hand and a trace too: whose process dies, its
/// runs are taken over.
final class Registration: Sendable {
  /// How often it does what it does beside its work.
  struct Pace: Sendable {
    let activity, heartbeat, rotation: Duration

    /// Of a process that only works.
    static let ofWorker = Pace(
      activity: .seconds(1), heartbeat: .seconds(5), rotation: .seconds(10))
    /// Of one that works on the connection on which it says so, between two batches.
    static let ofDrainer = Pace(
      activity: .seconds(2), heartbeat: .seconds(2), rotation: .seconds(2))
  }

  private struct State {
    /// The connection on which the worker was last entered.
    var enteredOn: Connection?
    var lastHeartbeat = ContinuousClock.now
    var lastActivity = ContinuousClock.now
    var lastRotation = ContinuousClock.now
  }

  let worker: WorkerContext
  /// Where it is entered.
  let control: ReconnectingSession
  private let pace: Pace
  /// Whether writes may wake it, where its connection is its own.
  private let listens: Bool
  private let state = Mutex(State())

  /// A worker that is not entered yet; nothing is opened.
  init(
    of worker: WorkerContext, on configuration: ConnectionConfiguration, in schema: Schema,
    pace: Pace = .ofWorker, listens: Bool = false
  ) {
    self.worker = worker
    self.pace = pace
    self.listens = listens
    control = ReconnectingSession(configuration, in: schema, logger: worker.logger)
  }

  /// An executor with a connection of its own.
  func makeExecutor() -> RunExecutor { RunExecutor(of: worker, on: control.another()) }

  /// Executors of the effect jobs, which share what they end their runs on.
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

  /// One for who works nothing else meanwhile: it shares the connection on which the worker is entered.
  func makeSharingExecutor() -> RunExecutor { RunExecutor(of: worker, on: control) }

  // MARK: Entering and leaving

  /// Enters the worker.
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

  /// Enters the worker, unless it was last entered through this connection.
  func stayEntered(on session: Session) async throws(PostgresError) {
    guard state.withLock({ $0.enteredOn !== session.connection }) else { return }
    try await enter(on: session)
  }

  /// Writes down what was done and takes the worker out.
  func leave(on session: Session) async throws(PostgresError) {
    try await worker.activity.write(on: session)
    try await session.atomically(
      .run(SQL.Workers.unregister, worker.identity.id), .run(SQL.Workers.noteListeners))
    state.withLock { $0.enteredOn = nil }
  }

  // MARK: Living

  /// Does what is due beside the work: says that the worker lives, writes down what it has done, and looks
  /// after the queue.
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
      // Who was killed has not said that it listens no more.
      try await session.atomically(.run(SQL.Workers.noteListeners))
      // Runs of a worker that is not entered are not worth a look on every tick.
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

  /// Says that the worker lives; false where it was taken out meanwhile.
  private func beat(on session: Session) async throws(PostgresError) -> Bool {
    let began = ContinuousClock.now
    guard try await session.atomically(.count(SQL.Workers.heartbeat, worker.identity.id)) > 0 else {
      return false
    }
    worker.lease.renew(from: began)
    return true
  }

  /// Ends what somebody cancelled of what this worker works.
  func endCancelled(_ queue: Queue) async throws(PostgresError) {
    worker.inHand.cancel(try await queue.cancelled(of: worker.identity.id))
  }

  /// Says that the worker lives, and ends what somebody cancels, until its task is cancelled; on a connection of its
  /// own that short work never opens.
  ///
  /// For work on the one connection that there is, where nobody polls. Without it a worker beside us would take over
  /// steps that together last longer than 18 s, and nobody could cancel them.
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

  /// Never urgent: a log that cannot be rotated only grows until somebody mends it.
  private func rotate(_ queue: Queue) async {
    do {
      try await queue.rotate()
    } catch {
      worker.logger.warning("the event log cannot be rotated: \(error)")
    }
  }
}
