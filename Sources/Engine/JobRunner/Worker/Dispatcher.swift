import BatonJobs
import BatonPostgres
import Logging

/// Folds events, fires schedules, reclaims the runs of dead workers, and wakes executors.
///
/// Every worker has a dispatcher, and no worker is a leader. Only the worker that holds the row
/// lock on the event log's cursor folds events. A worker polls on behalf of all workers while it is
/// processing runs or folding events (see ``PollingLock``).
struct Dispatcher: Sendable {
  let registration: Registration
  /// The maximum pause between two polls without a wake-up.
  let longestPause: Duration

  private var worker: WorkerContext { registration.worker }
  private var wakeUp: ExecutorSignal { worker.wakeUp }
  private var logger: Logger { worker.logger }

  /// Polls and performs pending tasks until the worker stops.
  ///
  /// If `untilIdle` is true, the method also returns when this worker has no more work.
  func run(untilIdle: Bool) async throws {
    try await registration.control.onThread { try await runOnThread(untilIdle: untilIdle) }
  }

  private func runOnThread(untilIdle: Bool) async throws {
    var lock = PollingLock(longestPause: longestPause)
    var ahead = ClaimAhead(for: worker)
    var isTold = false
    var trouble = Trouble()
    var last: Folded?
    var known: Connection?
    defer { worker.dispatcher.end() }
    while !wakeUp.isStopping {
      worker.dispatcher.mark(pause: longestPause)
      do {
        let session = try await registration.control.session()
        // A connection that ends during a pause does not cause an error. After a server crash, the
        // places from earlier searches are not valid.
        if known != nil, known !== session.connection { worker.front.forget() }
        known = session.connection
        try await registration.stayEntered(on: session)
        let queue = Queue(session, for: worker)
        let (nextDue, folded) = try await tick(
          queue, &lock, &ahead, isTold: isTold, after: last)
        last = folded
        try await registration.keep(on: session)
        worker.lastLook.isNow()
        trouble = Trouble()
        if untilIdle, try await isIdle(queue) { return }
        isTold =
          if folded?.hasMore == true { true } else {
            await sleep(until: nextDue, lock, on: session.connection)
          }
      } catch let error as PostgresError {
        // A rejected login is retried, because earlier logins of this process succeeded. During a
        // password change, the role has the new password shortly before the password file contains
        // it.
        guard error.sqlState.isWaitedFor else { throw error }
        lock.forget()
        worker.front.forget()
        isTold = false
        worker.failures.note(error, "cannot poll, trying again", with: logger)
        worker.lastLook.failed(error)
        // If `untilIdle` is true, the caller is waiting for this method. If the server is
        // unreachable, the method throws an error instead of waiting.
        if untilIdle {
          guard trouble.mayPassSoon(error) else { throw error }
          _ = try await registration.control.session()
        }
        let pause = trouble.pause.next()
        await wakeUp.pause { try? await Task.sleep(for: pause) }
        await registration.control.reconnect(while: {
          worker.dispatcher.mark()
          return !wakeUp.isStopping
        })
      }
    }
  }

  private func isIdle(_ queue: Queue) async throws -> Bool {
    // If all runs of a job fail until an operator acts, the caller should not wait for the job.
    let hopeless = worker.commonFailures.hopeless
    let left = try await queue.pendingWork(of: worker.jobNames.filter { !hopeless.contains($0) })
    guard left.isIdle else { return false }
    // When a batch ends, it can enqueue a run.
    return try await queue.advanceBatches(takesAll: true) == 0
  }

  /// Polls, performs pending tasks, and wakes the executors for due runs.
  ///
  /// - Parameters:
  ///   - isTold: whether a writer has sent NOTIFY about new events.
  ///   - previous: the fold of the previous pass, or nil.
  /// - Returns: the time until the next run or schedule is due, and the last fold. The time is nil
  ///   if it is unknown, or if no run or schedule is waiting. The fold is nil if this worker did
  ///   not fold anything.
  private func tick(
    _ queue: Queue, _ lock: inout PollingLock, _ ahead: inout ClaimAhead, isTold: Bool,
    after previous: Folded?
  ) async throws -> (nextDue: Duration?, folded: Folded?) {
    lock.worked(at: worker.activity.lastDoneAt)
    let storesTime = worker.front.needsTime(since: worker.activity.lastDoneAt)
    var folded: Folded?
    if storesTime || lock.foldsFirst(isTold: isTold, on: queue.session.connection) {
      folded = try await fold(queue, &lock, &ahead, after: previous, storesTime: storesTime)
    }
    if skipsPoll(after: folded, &lock) { return (nil, folded) }
    var poll = try await lock.poll(queue, hasFolded: folded != nil)
    if poll.hasCancelled {
      try await queue.cancelRequested()
      try await registration.endCancelled(queue)
    }
    // Events that arrive after the fold are dispatched on the next tick.
    let hasEvents = poll.hasEvents && folded == nil
    if poll.hasDeadWorkers { try await reclaim(queue) }
    let fired = poll.hasDueSchedules ? try await fire(queue) : Scheduler.FiredPiece()
    if hasEvents || fired.events > 0 {
      folded = try await fold(queue, &lock, &ahead, after: previous) ?? folded
    }
    let mustPoll = fired.schedules > 0 || poll.hasDeadWorkers
    if mustPoll || hasEvents && !skipsPoll(after: folded, &lock) {
      poll = try await lock.poll(queue, hasFolded: true)
      if poll.hasDeadWorkers { try await reclaim(queue) }
    }
    ring(for: poll)
    return (poll.nextDue, folded)
  }

  private func reclaim(_ queue: Queue) async throws {
    guard let reclaimed = try await queue.reclaim(by: worker),
      reclaimed.released + reclaimed.dead > 0
    else { return }
    logger.notice(
      """
      took over \(counted(reclaimed.released, "run")) of dead workers, \
      \(counted(reclaimed.dead, "run")) died
      """)
  }

  /// Folds events and wakes the executors of jobs with due runs, or returns nil if another process
  /// is folding.
  ///
  /// The executors are woken before the next poll, so the events' runs start earlier. The method
  /// also wakes other workers for jobs that this worker does not run.
  private func fold(
    _ queue: Queue, _ lock: inout PollingLock, _ ahead: inout ClaimAhead, after previous: Folded?,
    storesTime: Bool = false
  ) async throws -> Folded? {
    let (found, claimed) = try await foldAndClaim(
      queue, &ahead, after: previous, storesTime: storesTime)
    guard let folded = found else { return nil }
    lock.folded(folded)
    guard folded.events > 0 else { return folded }
    ahead.dispatched(folded.dueJobs)
    var due = dueJobs(of: folded)
    if let claimed { due.together[claimed] = nil }
    if !due.isEmpty { wakeUp.ring(for: due) }
    logger.debug("folded \(counted(folded.events, "event")) into \(counted(folded.runs, "run"))")
    let others = folded.jobs.filter { !worker.jobNames.contains($0) }
    if !others.isEmpty { try await queue.wakeWorkers(with: others) }
    return folded
  }

  /// Folds events, and claims runs for an idle executor in the same transaction.
  ///
  /// While the log has a backlog, executors claim the runs themselves, because a claim of a full
  /// batch would delay the next piece. If the transaction fails because of the claim, the fold is
  /// repeated without a claim, so that a failing claim cannot prevent folds.
  ///
  /// - Returns: the fold, and the name of the job for which no executor must be woken.
  private func foldAndClaim(
    _ queue: Queue, _ ahead: inout ClaimAhead, after previous: Folded?, storesTime: Bool
  ) async throws -> (Folded?, String?) {
    guard previous?.hasMore != true, let claim = ahead.prepare() else {
      return (try await queue.tryFold(after: previous, storesTime: storesTime), nil)
    }
    let sent: (folded: Folded?, claimed: [ClaimedRun], isRestored: Bool)
    do {
      sent = try await queue.tryFold(after: previous, storesTime: storesTime, with: claim)
    } catch {
      ahead.failed(claim)
      guard let error = error as? PostgresError, !error.sqlState.isConnectionLoss else {
        throw error
      }
      return (try await queue.tryFold(after: previous, storesTime: storesTime), nil)
    }
    let isDone = ahead.end(claim, with: sent.claimed, foldTook: sent.folded?.took ?? .zero)
    // The executor does not wait for the fold of a whole log.
    guard !sent.isRestored else { return (try await queue.fold(), nil) }
    return (sent.folded, isDone ? claim.job.definition.name : nil)
  }

  /// Returns this worker's jobs whose runs became due in the fold.
  private func dueJobs(of folded: Folded) -> DueJobs {
    var due = DueJobs()
    for job in worker.jobs.map(\.definition) where folded.dueJobs.contains(job.name) {
      due.together[job.name] = job.priority
    }
    return due
  }

  /// Returns whether the dispatcher skips the poll after a fold.
  ///
  /// The dispatcher skips the poll only if no events are left, and if it has claimed runs or woken
  /// executors for all jobs in the fold. The next poll then follows within 10 ms. If another run of
  /// those jobs is due later, the next poll finds its due time.
  private func skipsPoll(after folded: Folded?, _ lock: inout PollingLock) -> Bool {
    guard let folded, folded.events > 0, !folded.hasMore,
      dueJobs(of: folded).together.count == folded.jobs.count
    else { return false }
    return lock.skipsPoll()
  }

  private func ring(for poll: QueueCalls.Poll) {
    worker.learn(poll.dueJobs)
    let due = DueJobs(poll)
    if !due.isEmpty { wakeUp.ring(for: due) }
  }

  /// Fires some of the due schedules in one transaction.
  ///
  /// The dispatcher then folds the fired schedules' events into runs. If more schedules are due,
  /// the dispatcher fires them in its next pass. If an SQL function of Baton refuses a schedule's
  /// run, the dispatcher logs the error and fires the schedules in a later pass.
  private func fire(_ queue: Queue) async throws -> Scheduler.FiredPiece {
    let fired: Scheduler.FiredPiece
    do {
      fired = try await Scheduler(queue.session, jobs: worker.jobs).firePiece(
        from: worker.front.scheduleMarks)
    } catch let error as PostgresError where error.sqlState.code.hasPrefix("ZB") {
      worker.failures.note(error, "cannot fire schedules, trying again", with: logger)
      return Scheduler.FiredPiece()
    }
    if fired.events > 0 {
      logger.debug("fired \(counted(fired.events, "occurrence")) of schedules")
    }
    return fired
  }

  /// Waits until the next poll, for at most the maximum pause.
  ///
  /// The wait ends early if a run or schedule is due, or if a wake-up arrives.
  ///
  /// - Returns: whether a writer has sent NOTIFY about new events.
  private func sleep(
    until nextDue: Duration?, _ lock: PollingLock, on connection: Connection
  ) async -> Bool {
    let pauseEnd = lock.pauseEnd
    let end = nextDue.map { min(pauseEnd, .now + max($0, .milliseconds(1))) } ?? pauseEnd
    let jobs = Set(worker.jobNames)
    return await wakeUp.pause(on: connection.thread) {
      // A broken connection also ends the pause, and the next poll opens a new connection.
      while let told = try? await connection.hear(until: end), !told.isEmpty {
        if told.contains("") { return true }
        let names = told.flatMap { $0.split(separator: "\n").map(String.init) }
        if !jobs.isDisjoint(with: names) { return false }
      }
      return false
    }
  }
}

/// The dispatcher's failures since its last success.
private struct Trouble {
  /// The maximum time that a worker retries after server errors, if it runs only until it is idle.
  private static let patience = Duration.seconds(30)

  /// The pauses between failed passes.
  ///
  /// A statement can fail without a lost connection, for example on a full disk. Without pauses,
  /// the worker would repeat a failing statement thousands of times per second.
  var pause = ReconnectPause(upTo: .seconds(2))
  private let since = ContinuousClock.now

  /// Whether a worker that runs only until it is idle may retry after the error.
  func mayPassSoon(_ error: PostgresError) -> Bool {
    error.sqlState.failure != .readOnly && since.duration(to: .now) < Self.patience
  }
}
