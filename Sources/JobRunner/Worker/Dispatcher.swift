import JobCore
import Logging
import Postgres

/// Folds events, fires schedules, reclaims the runs of dead workers, and wakes executors.
///
/// Every worker has one and none of them leads: the cursor's row lock decides who folds.
struct Dispatcher: Sendable {
  let presence: Presence

  private var worker: WorkerContext { presence.worker }
  private var wakeUp: WakeUpSignal { worker.wakeUp }
  private var logger: Logger { worker.logger }

  /// The longest pause between two looks; polling is the truth, nothing notifies.
  static let pollInterval = Duration.milliseconds(250)

  /// Ticks until the worker stops, or until nothing is left that it could work.
  func run(untilIdle: Bool) async throws {
    while !wakeUp.isStopping {
      do {
        let session = try await presence.control.session()
        try await presence.stayEntered(on: session)
        let queue = Queue(session)
        let look = try await tick(queue)
        try await presence.keep(on: session)
        if untilIdle, try await isIdle(look, queue) { return }
        await sleep(until: look)
      } catch let error as PostgresError {
        guard error.sqlState.isTransient else { throw error }
        logger.warning("\(error); trying again")
        // Whoever started this waits for its end, and shall not wait for a server that is gone.
        if untilIdle { _ = try await presence.control.session() }
        await presence.control.reconnect(while: { !wakeUp.isStopping })
      }
    }
  }

  private func isIdle(_ look: QueueCalls.Poll, _ queue: Queue) async throws -> Bool {
    guard !look.dueJobs.contains(where: worker.jobNames.contains) else { return false }
    return try await queue.pendingWork(of: worker.jobNames).isIdle
  }

  /// Looks, does what the look shows, and wakes the executors for what is due.
  private func tick(_ queue: Queue) async throws -> QueueCalls.Poll {
    var look = try await queue.poll()
    if look.hasCancelled { try await presence.endCancelled(queue) }
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
      look = try await queue.poll()
    }
    let due = DueJobs(together: Set(look.dueJobs), alone: Set(look.jobsWorkedAlone))
    if !due.isEmpty { wakeUp.ring(for: due) }
    return look
  }

  private func fire(_ queue: Queue) async throws -> Int {
    let fired = try await Scheduler(queue.session, jobs: worker.jobs).fireDue()
    if fired > 0 { logger.debug("fired \(counted(fired, "occurrence")) of schedules") }
    return fired
  }

  private func sleep(until look: QueueCalls.Poll) async {
    let pause = min(Self.pollInterval, max(look.nextDue ?? Self.pollInterval, .milliseconds(1)))
    await wakeUp.pause(for: pause)
  }
}
