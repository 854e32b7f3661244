import BatonJobs
public import BatonPostgres
public import Logging
import Synchronization

/// A process that folds, claims and works, beside any number of others.
public final class Worker: Sendable {
  /// How a worker is run.
  public struct Options: Sendable {
    /// Connections that work batches; one more folds and looks.
    public var concurrency: Int
    /// How long a stop waits for work in progress before it is rolled back.
    public var grace: Duration
    /// The longest pause between two looks of a worker that sleeps: polling is the truth, whoever wakes it.
    package var longestPause = Duration.milliseconds(250)
    /// Told of the runs of each batch after its commit, on any thread; it must not wait.
    package var onDone: (@Sendable (_ runs: Int) -> Void)?
    /// Told of what is begun and how it ended, on any thread; it must not wait.
    package var watch: WorkWatch?

    /// Options; by default two connections and 8 s.
    public init(concurrency: Int = 2, grace: Duration = .seconds(8)) {
      self.concurrency = concurrency
      self.grace = grace
    }
  }

  private let options: Options
  private let registration: Registration
  private let executors: [RunExecutor]
  private let effectExecutors: [EffectExecutor]
  /// What runs of effects are ended on.
  private let sessions: SessionPool
  /// Rolls back what the executors work; nothing before there are any.
  private let rollBack = Mutex<@Sendable () -> Void>({})

  /// A worker of these jobs; nothing is opened yet.
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
  /// - Throws: ``PostgresError`` where the first connection cannot be made, or an error that
  ///   trying again cannot mend; ``LostExecutors`` where an effect job can be performed no more: the process
  ///   has to end, because what it gave up goes on in it.
  public func run() async throws {
    try await run(untilIdle: false)
  }

  /// Works until nothing is left that it could work now: all events are folded, and no run of its jobs is ready,
  /// debounced or running.
  ///
  /// Runs of paused jobs do not count, nor do runs that wait for their next attempt after a failure, which may take
  /// hours: how many wait is logged. It waits for the work of other workers, and not for a server that is gone.
  ///
  /// - Returns: how many runs of its jobs died meanwhile.
  /// - Throws: as ``run()``, and ``PostgresError`` where the server cannot be reached any more.
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

  /// Claims nothing more; ``run()`` returns when what is in progress has ended or was rolled back.
  public func stop() { context.wakeUp.stop() }

  /// The same without a grace: what is in progress is rolled back now and its runs given back.
  package func stopAtOnce() {
    context.wakeUp.stop()
    rollBack.withLock { $0 }()
  }

  /// Whether it was told to stop.
  package var isStopping: Bool { context.wakeUp.isStopping }

  private func run(untilIdle: Bool) async throws {
    do {
      _ = try await registration.control.session()
    } catch {
      // Where the server was there, the dispatcher connects again, as it does after every loss.
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

  /// Lets the executors end, cancels what takes longer than the grace, and takes the worker out.
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
