import BatonJobs
public import BatonPostgres
public import Logging
import Synchronization

/// A process that folds events, claims runs and works them; any number of workers can run at the same time.
public final class Worker: Sendable {
  /// The settings of a worker.
  public struct Options: Sendable {
    /// The number of connections that work batches; one more folds and polls.
    public var concurrency: Int
    /// How long a stop waits for work in progress before it is rolled back.
    public var grace: Duration
    /// The longest pause between two polls of a sleeping worker; correctness depends on polls, not on wake-ups.
    package var longestPause = Duration.milliseconds(250)
    /// Called with the number of runs after the commit of each batch, on any thread; it must not block.
    package var onDone: (@Sendable (_ runs: Int) -> Void)?
    /// Called at the start and the end of work, on any thread; it must not block.
    package var watch: WorkWatch?

    /// Makes options; the defaults are two connections and 8 s.
    public init(concurrency: Int = 2, grace: Duration = .seconds(8)) {
      self.concurrency = concurrency
      self.grace = grace
    }
  }

  private let options: Options
  private let registration: Registration
  private let executors: [RunExecutor]
  private let effectExecutors: [EffectExecutor]
  /// The sessions that end the runs of effects.
  private let sessions: SessionPool
  /// Rolls back the executors' work; does nothing before there are executors.
  private let rollBack = Mutex<@Sendable () -> Void>({})

  /// Makes a worker of these jobs; nothing is opened yet.
  public init(
    _ jobs: [RegisteredJob], on configuration: ConnectionConfiguration, schema: Schema,
    options: Options = Options(), logger: Logger
  ) {
    precondition(options.concurrency > 0, "a worker has a connection to work on")
    let registration = Registration(
      of: WorkerContext(
        jobs, activity: Activity(onDone: options.onDone), watch: options.watch, logger: logger),
      on: configuration, in: schema, listens: true)
    self.options = options
    self.registration = registration
    executors = (0..<options.concurrency).map { _ in registration.makeExecutor() }
    (effectExecutors, sessions) = registration.makeEffectExecutors()
  }

  var context: WorkerContext { registration.worker }

  /// Works until ``stop()`` is called.
  ///
  /// - Throws: ``PostgresError`` if the first connection fails, or for an error that a retry cannot fix;
  ///   ``LostExecutors`` if an effect job can no longer be performed. The process must end then, because abandoned
  ///   effects still run in it.
  public func run() async throws {
    try await run(untilIdle: false)
  }

  /// Works until nothing is left that it could work now: all events are folded, and no run of its jobs is ready,
  /// debounced or running.
  ///
  /// Runs of paused jobs do not count. Runs that wait for their next attempt after a failure do not count either,
  /// because that may take hours; their number is logged. It waits for the work of other workers, but not for a
  /// server that is gone.
  ///
  /// - Returns: the number of runs of its jobs that died meanwhile.
  /// - Throws: the errors of ``run()``, and ``PostgresError`` if the server can no longer be reached.
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

  /// Claims nothing more; ``run()`` returns when the work in progress has ended or was rolled back.
  public func stop() { context.wakeUp.stop() }

  /// Stops without a grace period: the work in progress is rolled back now and its runs are released.
  package func stopAtOnce() {
    context.wakeUp.stop()
    rollBack.withLock { $0 }()
  }

  /// Whether a stop was requested.
  package var isStopping: Bool { context.wakeUp.isStopping }

  private func run(untilIdle: Bool) async throws {
    do {
      _ = try await registration.control.session()
    } catch {
      // If the server terminated the connection, the dispatcher connects again, as it does after every loss.
      guard !untilIdle, error.sqlState.isTermination else { throw error }
    }
    let working = executors.map { executor in Task { await executor.run() } }
    let performing = effectExecutors.map { executor in Task { await executor.run() } }
    rollBack.withLock { [executors, effectExecutors] rollBack in
      rollBack = {
        for task in working { task.cancel() }
        for executor in executors { executor.cancel() }
        for task in performing { task.cancel() }
        for executor in effectExecutors { executor.cancel() }
      }
    }
    do {
      try await Dispatcher(registration: registration, longestPause: options.longestPause).run(
        untilIdle: untilIdle)
    } catch {
      await finish(working + performing)
      throw error
    }
    await finish(working + performing)
    if let loss = context.loss { throw loss }
  }

  /// Waits for the executors, cancels work that takes longer than the grace period, and unregisters the worker.
  private func finish(_ working: [Task<Void, Never>]) async {
    context.wakeUp.stop()
    let rollBack = rollBack.withLock { $0 }
    let cancelling = Task { [options, logger = context.logger] in
      try await Task.sleep(for: options.grace)
      logger.notice("rolling back what is still in progress")
      rollBack()
    }
    for task in working { await task.value }
    cancelling.cancel()
    do {
      try await registration.leave(on: registration.control.session())
    } catch {
      context.logger.debug("not taken out of the workers: \(error); another one will do it")
    }
    await registration.control.close()
    await sessions.close()
  }
}
