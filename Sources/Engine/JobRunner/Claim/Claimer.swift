import BatonJobs
import BatonPostgres
import Foundation
import Synchronization

/// Claims batches of one job for the executors of a worker.
///
/// The actor decides at which position in the queue a claim starts, and whether the claim first
/// excludes keys that are already running. The actor also limits the number of concurrent claims.
///
/// SKIP LOCKED skips a row that another claim has locked. If claim A changed a row after claim B
/// began, claim B locks and checks the newest version of the row. A transaction that completes a
/// run waits for each claim that has locked the run's row. A third concurrent claim for a job would
/// cost more waiting time than it would save.
actor Claimer {
  private static let atOnce = 2
  /// The maximum time that each claim attempt waits for a lock.
  ///
  /// A claim waits if another transaction is completing a run with the same key. After a lock
  /// timeout, the next attempt can succeed, because the other transaction may have committed. A
  /// claim also waits if another transaction has locked the whole `run` table.
  private static let patience: [Duration] = [.milliseconds(10), .milliseconds(100), .seconds(1)]

  private let turns = TaskSemaphore(atOnce)
  /// The order in which runs are claimed, as reported by the last poll.
  private nonisolated let known: Mutex<ClaimOrder>
  private var claims = 0
  private let turn = GroupTurn()
  /// The positions in the queue before which no run is ready.
  private let front: QueueFront
  /// The position after due runs whose keys are running or parked.
  private nonisolated let blocked = Mutex(BlockedRuns())
  /// Until this time, claims first check whether the run keys are already running.
  private var carefulUntil = ContinuousClock.now
  /// Until this time, a claim of groups that finds no run is not repeated without locked runs.
  ///
  /// Only a long transaction, for example a dry run, locks all runs that a claim chooses. While all
  /// groups are full, each repetition would visit all groups once more, and find no run either.
  private var nextRepeat = ContinuousClock.now
  private static let pauseOfRepeats = Duration.seconds(1)
  /// The time for which claims check for running keys after the next key conflict.
  private var carefulTime = shortestCare
  /// The limits of ``carefulTime``.
  private static let shortestCare = Duration.seconds(1)
  private static let longestCare = Duration.seconds(60)
  /// The numbers of due runs of which a probe claims one.
  private static let probed: [Int64] = [64, 1_024, 65_536]

  init(of job: JobDefinition, from front: QueueFront) {
    known = Mutex(ClaimOrder(of: job))
    self.front = front
  }

  /// The order in which the job's runs are claimed.
  nonisolated var order: ClaimOrder {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }

  /// Starts a claim that is sent together with a dispatch, or returns false if two claims of the
  /// job are in progress.
  ///
  /// After the claim, the caller must call ``end()``.
  nonisolated func tryBegin() -> Bool { turns.tryBegin() }

  /// Ends a claim that ``tryBegin()`` has started.
  nonisolated func end() { turns.end() }

  /// Begins the search of a claim in the order ``ClaimOrder/plain``.
  nonisolated func beginSearch(of job: JobDefinition) -> BlockedRuns.Search {
    let marks = front.marks(of: job.name)
    return blocked.withLock { $0.begin(from: marks) }
  }

  /// Claims up to `limit` due runs.
  ///
  /// At most two claims for the job run at the same time. If `isWanted` returns false when the
  /// claim begins, no run is claimed.
  ///
  /// A due run whose key is already running is rare. Checking for running keys takes a fifth of a
  /// claim's time. A claim usually skips the check for running keys, and relies on the primary key
  /// to report a conflict. For 1 s after a key conflict, claims check for running keys first. If
  /// the repeated claim finds no run, this time doubles, up to 60 s, until a claim finds a run.
  ///
  /// The caller must call ``Session/assignPayloads(of:_:token:)`` afterwards. The assignment can
  /// take seconds, and must not delay other claims of the job.
  ///
  /// - Throws: `PostgresError`, with SQLSTATE 55P03 if a lock was unavailable for about 1.1 s.
  func claim(
    _ job: JobDefinition, limit: Int, token: UUID, worker: UUID, on session: Session,
    while isWanted: @Sendable () -> Bool
  ) async throws(PostgresError) -> [ClaimedRun] {
    await turns.begin()
    defer { turns.end() }
    guard isWanted() else { return [] }
    let order = order
    guard order == .plain else {
      return try await inOrder(
        order, job, limit: limit, token: token, worker: worker, on: session, while: isWanted)
    }
    return try await patiently { (patience) throws(PostgresError) in
      let (search, skipsRunning) = (beginSearch(of: job), ContinuousClock.now < carefulUntil)
      let call = QueueCalls.claim(
        job, limit: limit, token: token, worker: worker, from: search.place,
        besideRunning: skipsRunning)
      let runs = try await session.claim(job, call, patience: patience)
      if skipsRunning { await passBlocked(job, after: search, with: runs, on: session) }
      return runs
    }
  }

  /// Lets later claims begin after blocked runs, if a claim was slow because of them.
  private func passBlocked(
    _ job: JobDefinition, after search: BlockedRuns.Search, with runs: [ClaimedRun],
    on session: Session
  ) async {
    guard let place = search.end(with: runs) else { return }
    // The claim is committed, so an error here must not end it.
    let isCostly = try? await session.atomically(
      QueueCalls.checkBlocked(job, from: search.place, to: place))
    guard isCostly == true else { return }
    blocked.withLock { $0.pass(search, to: place) }
  }

  /// Claims the most urgent runs first.
  ///
  /// For a job with limits per group, claims alternate between the groups.
  ///
  /// Every tenth claim selects the oldest runs first, so that no run waits forever. It also sets
  /// aside the runs of full groups, which could otherwise hide the runs of a new group.
  private func inOrder(
    _ order: ClaimOrder, _ job: JobDefinition, limit: Int, token: UUID, worker: UUID,
    on session: Session, while isWanted: @Sendable () -> Bool
  ) async throws(PostgresError) -> [ClaimedRun] {
    claims += 1
    let isByAge = claims.isMultiple(of: 10)
    let mayRepeat = ContinuousClock.now >= nextRepeat
    let runs = try await patiently { (patience) throws(PostgresError) in
      let (turn, skipsRunning) = (turn, .now < carefulUntil)
      let byGroup: @Sendable (Int, QueueFront.Marks, Bool) -> Call<[ClaimedRun]> = {
        limit, marks, skipsLocked in
        QueueCalls.claimByGroup(
          job, limit: limit, token: token, worker: worker, isByAge: isByAge, turn: turn,
          skipsRunning: skipsRunning, skipsLocked: skipsLocked, from: marks)
      }
      let skippingLocked: @Sendable (Int, QueueFront.Marks) -> Call<[ClaimedRun]> = {
        limit, marks in byGroup(limit, marks, true)
      }
      let claim: @Sendable (Int, QueueFront.Marks) -> Call<[ClaimedRun]> = { limit, marks in
        order == .group
          ? byGroup(limit, marks, false)
          : QueueCalls.claimByPriority(
            job, limit: limit, token: token, worker: worker, isByAge: isByAge,
            isInTurn: order.isInTurn, from: marks)
      }
      guard order.isInTurn else {
        return try await session.claim(
          job, claim(limit, front.marks(of: job.name)), patience: patience)
      }
      return try await session.claimInTurn(
        job, limit: limit, from: front,
        holding: order != .group ? .never : isByAge ? .always : .ifFewerRuns,
        patience: patience, while: isWanted,
        skippingLocked: mayRepeat ? skippingLocked : nil, claim)
    }
    if runs.isEmpty, mayRepeat { nextRepeat = .now + Self.pauseOfRepeats }
    return runs
  }

  /// Claims up to `limit` runs that must not share a batch with other runs.
  ///
  /// A poll reports the order of a job's claims only if runs of the job may start. Before the first
  /// report, an operator may already have set limits, so the claim checks for limits.
  ///
  /// The caller must call ``Session/assignPayloads(of:_:token:)`` afterwards.
  ///
  /// - Parameter take: builds the statement. No running claim of the job has a lower number than
  ///   `firstClaim`.
  /// - Throws: `PostgresError`, with SQLSTATE 55P03 if a lock was unavailable for about 1.1 s.
  func claimApart(
    _ job: JobDefinition, limit: Int, on session: Session,
    _ take: @Sendable (_ limit: Int, _ firstClaim: Int64) -> Call<[ClaimedRun]>
  ) async throws(PostgresError) -> [ClaimedRun] {
    try await patiently { (patience) throws(PostgresError) in
      if !order.isInTurn {
        let runs = try await session.claimWithoutLimits(job, take(limit, 0), patience: patience)
        if let runs { return runs }
        order = try await session.atomically(QueueCalls.readClaimOrder(job))
      }
      return try await session.claimInTurn(job, limit: limit, from: front, patience: patience) {
        limit, marks in take(limit, marks.firstClaims[job.name, default: 0])
      }
    }
  }

  /// Claims one run to test whether the job's runs still fail (``FailingJob``).
  ///
  /// Runs that fail for one cause are often neighbours in the queue, for example all runs for one
  /// customer's server. If each probe claimed the first run, all later runs would wait until each
  /// of the neighbours has been a probe. A probe therefore claims a run at a random place, and
  /// ignores priorities and batch limits.
  ///
  /// The run is among the oldest or newest 64, 1,024 or 65,536 due runs. The failing runs may thus
  /// be a few or thousands, and may be older or newer than the others.
  ///
  /// The caller must call ``Session/assignPayloads(of:_:token:)`` afterwards.
  ///
  /// - Throws: `PostgresError`, with SQLSTATE 55P03 if a lock was unavailable for about 1.1 s.
  func claimProbe(
    _ job: JobDefinition, token: UUID, worker: UUID, on session: Session
  ) async throws(PostgresError) -> [ClaimedRun] {
    let first = front.marks(of: job.name).earliest
    let runs = Self.probed.randomElement() ?? 1
    let isAmongNewest = Bool.random()
    return try await claimApart(job, limit: 1, on: session) { _, firstClaim in
      QueueCalls.claimProbe(
        job, token: token, worker: worker, among: runs, number: .random(in: 0..<runs),
        amongNewest: isAmongNewest, from: first, firstClaim: firstClaim)
    }
  }

  private func patiently(
    _ claim: (Duration) async throws(PostgresError) -> [ClaimedRun]
  ) async throws(PostgresError) -> [ClaimedRun] {
    var tries = Self.patience[...]
    var hasMetRunning = false
    while true {
      do throws(PostgresError) {
        let runs = try await claim(tries.removeFirst())
        if !runs.isEmpty {
          carefulTime = Self.shortestCare
        } else if hasMetRunning {
          // A run with another running run of its key stays due until the running run ends.
          carefulTime = min(carefulTime * 2, Self.longestCare)
          carefulUntil = .now + carefulTime
        }
        return runs
      } catch {
        guard error.meetsRunning, !tries.isEmpty else { throw error }
        hasMetRunning = true
        carefulUntil = .now + carefulTime
      }
    }
  }
}

extension PostgresError {
  /// Whether the claim may have failed because a run with the same key is already running.
  ///
  /// If a run with the same key is running, a claim violates the primary key of the `run` table. If
  /// another transaction is completing a run with the same key, the claim can time out instead.
  fileprivate var meetsRunning: Bool {
    sqlState == .uniqueViolation || sqlState == .lockNotAvailable
  }
}
