import BatonJobs
import BatonPostgres
import Foundation
import Synchronization

/// How the executors of a worker look for the next batch of one job: from where, with how much care,
/// and how many of them at the same time.
///
/// SKIP LOCKED passes over a row that another claim holds. A row that another claim has changed since
/// this one began it follows to its newest version and locks that, to look at it again: then the work
/// that ends the run waits for this claim, and this claim for the next. More than two claims of the
/// same runs at once cost more than they give.
actor Claimer {
  private static let atOnce = 2
  /// How long a claim waits for a lock, one try after the other.
  ///
  /// Work in progress may be ending a run that was ready when the claim began: the next try sees
  /// that. Or somebody has the whole table.
  private static let patience: [Duration] = [.milliseconds(10), .milliseconds(100), .seconds(1)]

  private let turns = TaskSemaphore(atOnce)
  /// Written by whoever polls.
  private nonisolated let known: Mutex<ClaimOrder>
  private var claims = 0
  private var mark = LowWaterMark()
  /// Until when keys that run are looked for ahead of the claim.
  private var carefulUntil = ContinuousClock.now

  init(of job: JobDefinition) { known = Mutex(ClaimOrder(of: job)) }

  /// How the job's runs are claimed.
  nonisolated var order: ClaimOrder {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }

  /// Claims up to `limit` runs that are due; none where `isWanted` says no when the turn comes.
  ///
  /// That a key runs already is rare, and looking for it costs a fifth of the claim. So it is left
  /// to the primary key; where that finds one, the next claims look first.
  ///
  /// - Throws: `PostgresError`; 55P03 where a lock could not be had within some 1.1 s.
  func claim(
    _ job: JobDefinition, limit: Int, token: UUID, worker: UUID, on session: Session,
    while isWanted: @Sendable () -> Bool
  ) async throws(PostgresError) -> [ClaimedRun] {
    await turns.begin()
    defer { turns.end() }
    guard isWanted() else { return [] }
    let order = order
    guard order == .plain else {
      return try await inOrder(order, job, limit: limit, token: token, worker: worker, on: session)
    }
    let look = mark.begin()
    let runs = try await patiently { (patience) throws(PostgresError) in
      let call = QueueCalls.claim(
        job, limit: limit, token: token, worker: worker, from: look.from,
        besideRunning: .now < carefulUntil)
      return try await session.claim(job, call, patience: patience)
    }
    mark.end(look, latest: runs.lazy.map(\.due).max(), isFull: runs.count == limit)
    return runs
  }

  /// The most urgent runs first, and each tenth time those that wait longest: none waits for ever.
  private func inOrder(
    _ order: ClaimOrder, _ job: JobDefinition, limit: Int, token: UUID, worker: UUID,
    on session: Session
  ) async throws(PostgresError) -> [ClaimedRun] {
    claims += 1
    let isByAge = claims.isMultiple(of: 10)
    return try await patiently { (patience) throws(PostgresError) in
      let claim = QueueCalls.OrderedClaim(
        job: job, isByGroup: order == .group, token: token, worker: worker, isByAge: isByAge)
      guard order.isInTurn else {
        return try await session.claim(job, claim.call(limit), patience: patience)
      }
      return try await session.claimInTurn(
        job, limit: limit, byGroup: order == .group, patience: patience, claim.call)
    }
  }

  private func patiently(
    _ claim: (Duration) async throws(PostgresError) -> [ClaimedRun]
  ) async throws(PostgresError) -> [ClaimedRun] {
    var tries = Self.patience[...]
    while true {
      do throws(PostgresError) {
        return try await claim(tries.removeFirst())
      } catch {
        guard error.meetsRunning, !tries.isEmpty else { throw error }
        carefulUntil = .now + .seconds(1)
      }
    }
  }
}

extension PostgresError {
  /// Whether a claim may have met a key that runs: its row is there, or is held by work in progress.
  fileprivate var meetsRunning: Bool {
    sqlState == .uniqueViolation || sqlState == .lockNotAvailable
  }
}
