public import Logging
public import Postgres
import RunnerSQL
import Synchronization

/// A process that folds, claims and works, beside any number of others.
public final class Worker: Sendable {
  /// How a worker is run.
  public struct Options: Sendable {
    /// Connections that work batches; one more folds and looks.
    public var concurrency: Int
    /// How long a stop waits for work in progress before it is rolled back.
    public var grace: Duration
    /// Told of the runs of each batch after its commit, on any thread; it must not wait.
    public var onDone: (@Sendable (_ runs: Int) -> Void)?

    /// Options; by default two connections and 8 s.
    public init(concurrency: Int = 2, grace: Duration = .seconds(8)) {
      self.concurrency = concurrency
      self.grace = grace
    }
  }

  private let options: Options
  private let context: WorkerContext
  private let controlConnection: ReconnectingConnection
  private let executorConnections: [ReconnectingConnection]
  private let executors: [RunExecutor]
  private let dispatcher: Dispatcher
  /// Rolls back what the executors work; nothing before there are any.
  private let rollBack = Mutex<@Sendable () -> Void>({})

  /// A worker of these jobs; nothing is opened yet.
  public init(
    _ jobs: [RegisteredJob], on configuration: ConnectionConfiguration, schema: Schema,
    options: Options = Options(), logger: Logger
  ) {
    precondition(options.concurrency > 0, "a worker has a connection to work on")
    let context = WorkerContext(
      jobs, in: schema, activity: Activity(onDone: options.onDone), logger: logger)
    self.options = options
    self.context = context
    controlConnection = ReconnectingConnection(configuration, logger: logger)
    executorConnections = (0..<options.concurrency).map { _ in
      ReconnectingConnection(configuration, logger: logger)
    }
    executors = executorConnections.map { RunExecutor(context, on: $0) }
    dispatcher = Dispatcher(context: context, reconnecting: controlConnection)
  }

  /// Works until ``stop()`` is called.
  ///
  /// - Throws: ``PostgresError`` where the first connection cannot be made, or an error that
  ///   trying again cannot mend.
  public func run() async throws {
    try await run(untilIdle: false)
  }

  /// Works until nothing is left that it could work: no event unfolded, no run of its jobs ready, due
  /// or running, those of paused jobs aside.
  ///
  /// It waits for the work of others, and not for a server that is gone.
  ///
  /// - Returns: how many runs of its jobs died meanwhile.
  /// - Throws: as ``run()``, and ``PostgresError`` where the server cannot be reached any more.
  public func runUntilIdle() async throws -> Int {
    let began = try await controlConnection.connection().run(QueueCalls.readClock)
    try await run(untilIdle: true)
    let connection = try await Connection.open(controlConnection.configuration)
    let died = try await connection.atomically(
      in: context.schema, QueueCalls.countDied(of: context.jobNames, since: began))
    await connection.close()
    return died
  }

  /// Claims nothing more; ``run()`` returns when what is in progress has ended or was rolled back.
  public func stop() { context.wakeUp.stop() }

  /// The same without a grace: what is in progress is rolled back now and its runs given back.
  public func stopAtOnce() {
    context.wakeUp.stop()
    rollBack.withLock { $0 }()
  }

  /// Whether it was told to stop.
  public var isStopping: Bool { context.wakeUp.isStopping }

  private func run(untilIdle: Bool) async throws {
    _ = try await controlConnection.connection()
    let working = executors.map { executor in Task { await executor.run() } }
    rollBack.withLock { [executorConnections] rollBack in
      rollBack = {
        for task in working { task.cancel() }
        for connection in executorConnections { connection.cancel() }
      }
    }
    do {
      try await dispatcher.run(untilIdle: untilIdle)
    } catch {
      await finish(working)
      throw error
    }
    await finish(working)
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
      let connection = try await controlConnection.connection()
      try await context.activity.write(on: connection, in: context.schema)
      try await connection.atomically(
        in: context.schema, .run(SQL.Workers.unregister, context.identity.id))
    } catch {
      context.logger.debug("not taken out of the workers: \(error); another one will do it")
    }
    await controlConnection.close()
  }
}
