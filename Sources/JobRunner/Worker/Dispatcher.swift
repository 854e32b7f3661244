import Foundation
import JobCore
import Logging
import Postgres
import RunnerSQL

/// Folds events, reclaims the runs of dead workers, says that this worker lives, and wakes executors.
///
/// Every worker has one and none of them leads: the cursor's row lock decides who folds.
struct Dispatcher: Sendable {
  let context: WorkerContext
  let reconnecting: ReconnectingConnection

  private var identity: WorkerIdentity { context.identity }
  private var schema: Schema { context.schema }
  private var wakeUp: WakeUpSignal { context.wakeUp }
  private var logger: Logger { context.logger }

  /// The longest pause between two looks; polling is the truth, nothing notifies.
  static let pollInterval = Duration.milliseconds(250)

  /// Ticks until the worker stops, or until nothing is left that it could work.
  func run(untilIdle: Bool) async throws {
    var chores = Chores()
    while !wakeUp.isStopping {
      do {
        let connection = try await reconnecting.connection()
        let queue = Queue(connection, schema: schema)
        if chores.mustRegister(on: connection) {
          try await register(on: connection)
          chores.registeredOn = connection
        }
        let look = try await tick(queue)
        try await chores.run(self, queue)
        if untilIdle, try await isIdle(look, queue) { return }
        await sleep(until: look)
      } catch let error as PostgresError {
        guard error.sqlState.isTransient else { throw error }
        logger.warning("\(error); trying again")
        // Whoever started this waits for its end, and shall not wait for a server that is gone.
        if untilIdle { _ = try await reconnecting.connection() }
        await reconnecting.reconnect(while: { !wakeUp.isStopping })
      }
    }
  }

  func register(on connection: Connection) async throws {
    let isDirect = await connection.isDirect
    try await connection.atomically(
      in: schema, planning: .noSequentialScan,
      .run(SQL.Workers.register, identity.id, identity.name, isDirect))
  }

  private func isIdle(_ look: QueueCalls.Poll, _ queue: Queue) async throws -> Bool {
    guard !look.dueJobs.contains(where: context.jobNames.contains) else { return false }
    return try await queue.pendingWork(of: context.jobNames).isIdle
  }

  /// Looks, does what the look shows, and wakes the executors for what is due.
  private func tick(_ queue: Queue) async throws -> QueueCalls.Poll {
    var look = try await queue.connection.atomically(
      in: schema, planning: .noSequentialScan, QueueCalls.poll)
    if look.hasDeadWorkers, let reclaimed = try await queue.reclaim(),
      reclaimed.released + reclaimed.dead > 0
    {
      logger.notice(
        """
        took over \(counted(reclaimed.released, "run")) of dead workers, \
        \(counted(reclaimed.dead, "run")) died
        """)
    }
    let fired = look.hasDueSchedules ? try await fire(queue) : 0
    if look.hasEvents || fired > 0, let folded = try await queue.fold() {
      logger.debug("folded \(counted(folded.events, "event")) into \(counted(folded.runs, "run"))")
    }
    if look.hasEvents || look.hasDeadWorkers || fired > 0 {
      look = try await queue.connection.atomically(
        in: schema, planning: .noSequentialScan, QueueCalls.poll)
    }
    let due = DueJobs(together: Set(look.dueJobs), alone: Set(look.jobsWorkedAlone))
    if !due.isEmpty { wakeUp.ring(for: due) }
    return look
  }

  private func fire(_ queue: Queue) async throws -> Int {
    let fired = try await Scheduler(queue.connection, schema: schema, jobs: context.jobs).fireDue()
    if fired > 0 { logger.debug("fired \(counted(fired, "occurrence")) of schedules") }
    return fired
  }

  /// Never urgent: a log that cannot be rotated only grows until somebody mends it.
  func rotate(_ queue: Queue) async {
    do {
      try await queue.rotate()
    } catch {
      logger.warning("the event log cannot be rotated: \(error)")
    }
  }

  private func sleep(until look: QueueCalls.Poll) async {
    let pause = min(Self.pollInterval, max(look.nextDue ?? Self.pollInterval, .milliseconds(1)))
    await wakeUp.pause(for: pause)
  }
}

/// What a dispatcher does only every few seconds.
private struct Chores {
  /// The connection on which the worker was last entered.
  var registeredOn: Connection?
  private var lastHeartbeat = ContinuousClock.now
  private var lastRotation = ContinuousClock.now
  private var lastActivity = ContinuousClock.now

  /// Whether the worker is not entered yet, or its connection is a new one.
  func mustRegister(on connection: Connection) -> Bool { registeredOn !== connection }

  mutating func run(_ dispatcher: Dispatcher, _ queue: Queue) async throws {
    let now = ContinuousClock.now
    if now - lastActivity > .seconds(1) {
      lastActivity = now
      if dispatcher.context.identity.claims.isInDoubt {
        try await queue.releaseUnknown(to: dispatcher.context.identity)
      }
      try await dispatcher.context.activity.write(on: queue.connection, in: queue.schema)
    }
    if now - lastHeartbeat > .seconds(5) {
      lastHeartbeat = now
      let isKnown = try await queue.connection.atomically(
        in: queue.schema, .count(SQL.Workers.heartbeat, dispatcher.context.identity.id))
      if isKnown == 0 { try await dispatcher.register(on: queue.connection) }
    }
    if now - lastRotation > .seconds(10) {
      lastRotation = now
      await dispatcher.rotate(queue)
      // Runs of a worker that is not entered are not worth a look on every tick.
      _ = try await queue.reclaim()
    }
  }
}
