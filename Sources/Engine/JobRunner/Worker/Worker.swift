import BatonJobs
public import BatonPostgres
public import Logging
import Synchronization

/// Folds events, and claims and processes runs.
///
/// Any number of workers can run at the same time.
public final class Worker: Sendable {
  /// A worker's settings.
  public struct Options: Sendable {
    /// The number of connections on which the worker processes batches.
    ///
    /// The worker also uses one connection to fold and poll, and another to send heartbeats.
    public var concurrency: Int
    /// The maximum time that a stopping worker waits for runs in progress.
    ///
    /// After the grace period, the attempts that are still in progress are rolled back.
    public var grace: Duration
    /// The maximum pause between two polls of an idle worker.
    ///
    /// A wake-up can be lost, so only polls ensure that no events are missed.
    package var longestPause = Duration.milliseconds(250)
    /// Called with the number of runs in a batch after the batch is committed.
    ///
    /// The closure is called on any thread and must not block.
    package var onDone: (@Sendable (_ runs: Int) -> Void)?
    /// Closures that are called at the start and the end of each attempt.
    ///
    /// The closures are called on any thread and must not block.
    package var watch: WorkWatch?
    /// The release of the worker's program, or nil if it is unknown.
    package var release: ProgramRelease?
    /// Whether ``Worker/run()`` waits for the server if the first connection fails.
    ///
    /// The `worker` command has already connected to the server when it starts the worker.
    package var waitsForServer = false

    /// Creates the options for a worker.
    ///
    /// By default, a worker processes batches on two connections and has a grace period of 8 s.
    public init(concurrency: Int = 2, grace: Duration = .seconds(8)) {
      self.concurrency = concurrency
      self.grace = grace
    }
  }

  private let options: Options
  private let registration: Registration
  private let heartbeat: Heartbeat
  /// The executors of the transactional jobs, and one executor for each effect job.
  private let executors: [RunExecutor]
  /// The sessions that complete the runs of effect jobs.
  private let sessions: SessionPool
  /// Rolls back the executors' attempts, or does nothing before the executors have started.
  private let rollBack = Mutex<@Sendable () -> Void>({})
  /// Whether the task of ``run()`` was cancelled, or the worker's service group is shutting down.
  private let isCancelled = Mutex(false)

  /// Creates a worker for the given jobs, without opening a connection.
  public init(
    _ jobs: [RegisteredJob], on configuration: ConnectionConfiguration, schema: Schema,
    options: Options = Options(), logger: Logger
  ) {
    precondition(options.concurrency > 0, "a worker has a connection to work on")
    let registration = Registration(
      of: WorkerContext(
        jobs, activity: Activity(onDone: options.onDone), watch: options.watch,
        release: options.release, pausesFailingJobs: true, logger: logger),
      on: configuration, in: schema, listens: true)
    self.options = options
    self.registration = registration
    heartbeat = Heartbeat(of: registration)
    let ofEffects = registration.makeEffectExecutors()
    executors =
      (0..<options.concurrency).map { _ in registration.makeExecutor() } + ofEffects.executors
    sessions = ofEffects.sessions
  }

  var context: WorkerContext { registration.worker }

  /// Claims and processes runs until ``stop()`` is called or the task is cancelled.
  ///
  /// With the HTTP package trait, a worker is a `Service`, and a graceful shutdown of its service
  /// group also ends the method. A cancellation and a shutdown stop the worker in the same way as
  /// ``stop()``. After a cancellation or shutdown, the method waits for attempts until at most 2 s
  /// after the grace period.
  ///
  /// - Throws: ``PostgresError`` if the first connection fails, or if an error occurs that a retry
  ///   cannot fix. ``LostExecutors`` if abandoned effects occupy all slots of an effect job.
  ///   ``AbandonedAttempts`` if a job ignores the cancellation of its attempt. After
  ///   ``LostExecutors`` and ``AbandonedAttempts``, the process must exit, because abandoned code
  ///   is still running.
  public func run() async throws {
    try await endingWhenCancelled { try await self.run(untilIdle: false) }
  }

  /// Processes runs until this worker has no more work.
  ///
  /// When the method returns, all events have been folded, and no runs of the worker's jobs are
  /// ready, debounced or running. The method does not wait for runs of paused jobs, or for retries,
  /// which may take hours. The method logs the number of runs that are waiting for a retry. The
  /// method waits for other workers' runs, but not for an unreachable server.
  ///
  /// - Returns: the number of runs of the worker's jobs that died during the call.
  /// - Throws: the same errors as ``run()``, and ``PostgresError`` if the server can no longer be
  ///   reached.
  package func runUntilIdle() async throws -> Int {
    let began = try await registration.control.session().connection.run(QueueCalls.readClock)
    try await run(untilIdle: true)
    let looking = registration.control.another()
    let (died, waiting) = try await looking.session().freely.atomically(
      QueueCalls.countDied(of: context.jobNames, since: began),
      QueueCalls.countWaiting(of: context.jobNames))
    await looking.close()
    if let waiting {
      context.logger.notice(
        """
        idle; \(counted(waiting.runs, "run")) \(waiting.runs == 1 ? "waits" : "wait") for the next attempt, \
        the first one for \(waiting.milliseconds / 1_000) s more
        """)
    }
    return died
  }

  /// Stops claiming runs.
  ///
  /// ``run()`` returns after the attempts in progress have ended or have been rolled back.
  public func stop() { context.wakeUp.stop() }

  /// Stops without a grace period.
  ///
  /// The attempts in progress are rolled back immediately, and the runs are released.
  package func stopAtOnce() {
    context.wakeUp.stop()
    rollBack.withLock { $0 }()
  }

  /// Stops claiming runs, and limits how long ``run()`` waits for attempts that ignore being
  /// cancelled.
  func end() {
    isCancelled.withLock { $0 = true }
    context.wakeUp.stop()
  }

  /// Whether a stop has been requested.
  package var isStopping: Bool { context.wakeUp.isStopping }

  private func run(untilIdle: Bool) async throws {
    do {
      _ = try await registration.control.session()
    } catch {
      guard !untilIdle, isWaitedFor(error) else { throw error }
    }
    // The heartbeat connection is opened while the dispatcher already polls. If the registration
    // fails, the dispatcher repeats it in its first pass.
    try? await registration.stayEntered(on: registration.control.session())
    heartbeat.start()
    let working = executors.enumerated().map { index, executor in
      Task { await executor.run(opensConnection: index == 0) }
    }
    rollBack.withLock { [executors] rollBack in
      rollBack = {
        for task in working { task.cancel() }
        for executor in executors { executor.cancel() }
      }
    }
    do {
      try await Dispatcher(registration: registration, longestPause: options.longestPause).run(
        untilIdle: untilIdle)
    } catch {
      // Without a dispatcher, the worker must end, even if an attempt ignores its cancellation.
      if !untilIdle { context.logger.critical("the dispatcher failed, the worker ends: \(error)") }
      end()
      _ = await finish(working)
      throw error
    }
    let abandoned = await finish(working)
    if let loss = context.loss { throw loss }
    if !abandoned.isEmpty { throw AbandonedAttempts(jobs: abandoned) }
  }

  /// Whether the dispatcher waits for the server after this error of the first connection.
  private func isWaitedFor(_ error: PostgresError) -> Bool {
    if options.waitsForServer { return error.sqlState.isAbsence }
    // The server ended the connection, is starting or has no free connection.
    let passing: [SQLState] = [.tooManyConnections, .cannotConnectNow]
    return error.sqlState.isTermination || passing.contains(error.sqlState)
  }

  /// Waits until the executors have ended, and unregisters the worker.
  ///
  /// Attempts that take longer than the grace period are cancelled.
  ///
  /// - Returns: the jobs of the attempts that ignored their cancellation and are still running.
  private func finish(_ working: [Task<Void, Never>]) async -> [String] {
    context.wakeUp.stop()
    let end = WorkEnd()
    let rollBack = rollBack.withLock { $0 }
    let cancelling = Task { [self] in
      try await Task.sleep(for: options.grace)
      context.logger.notice("rolling back the attempts that are still in progress")
      rollBack()
      try await Task.sleep(for: Self.patience)
      // After `stop()`, `run()` waits for attempts without a time limit, unless the worker is
      // cancelled.
      while !isCancelled.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(100)) }
      end.come()
    }
    let waiting = Task {
      for task in working { await task.value }
      end.come()
    }
    await end.wait()
    cancelling.cancel()
    waiting.cancel()
    let abandoned = await abandonAttempts()
    await heartbeat.stop()
    do {
      try await registration.leave(on: registration.control.session())
    } catch {
      context.logger.debug("not taken out of the workers: \(error); another one will do it")
    }
    await heartbeat.close()
    await registration.control.close()
    await sessions.close()
    return abandoned
  }

  /// Closes the sockets of executors whose runs are still in progress.
  ///
  /// When a socket is closed, the server rolls back the attempt's transaction, and other
  /// workers can claim the runs.
  ///
  /// - Returns: the jobs of the runs that are still in progress.
  private func abandonAttempts() async -> [String] {
    // After `stop()`, no transaction is in progress, and the caller decides whether abandoned
    // effects are a reason to exit the process.
    guard isCancelled.withLock({ $0 }) else { return [] }
    var jobs: Set<String> = []
    for executor in executors {
      guard let job = executor.job else { continue }
      jobs.insert(job)
      await executor.abandon()
    }
    guard !jobs.isEmpty else { return [] }
    context.logger.critical("\(AbandonedAttempts(jobs: jobs.sorted()))")
    return jobs.sorted()
  }

  /// How long a cancelled worker waits for its attempts to end after it has cancelled them.
  private static let patience = Duration.seconds(2)
}
