import BatonJobs
import BatonPostgres
import Foundation
import Synchronization

/// Claims the next batches of one job for the executors of a worker.
///
/// It decides where a claim starts in the queue, how careful it is, and how many claims run at the same time.
///
/// SKIP LOCKED passes over a row that another claim holds. If another claim has changed a row since this one began,
/// this claim locks the newest version of the row and checks it again. The work that ends the run then waits for this
/// claim, and this claim waits for the next. So more than two claims of the same runs at the same time cost more than
/// they gain.
actor Claimer {
  private static let atOnce = 2
  /// How long a claim waits for a lock, for each try.
  ///
  /// A run that was ready when the claim began may be ending: the next try sees that. Or another transaction has
  /// locked the whole table.
  private static let patience: [Duration] = [.milliseconds(10), .milliseconds(100), .seconds(1)]

  private let turns = TaskSemaphore(atOnce)
  /// The order; the poll writes it.
  private nonisolated let known: Mutex<ClaimOrder>
  private var claims = 0
  private var mark = LowWaterMark()
  /// Until when claims check for running keys first.
  private var carefulUntil = ContinuousClock.now

  init(of job: JobDefinition) { known = Mutex(ClaimOrder(of: job)) }

  /// How the job's runs are claimed.
  nonisolated var order: ClaimOrder {
    get { known.withLock { $0 } }
    set { known.withLock { $0 = newValue } }
  }

  /// Claims up to `limit` runs that are due; none if `isWanted` returns false when the turn comes.
  ///
  /// A due run whose key is already running is rare, and the check for it costs a fifth of the claim. So the primary
  /// key detects it. After such a conflict, the next claims check first.
  ///
  /// - Throws: `PostgresError`; 55P03 if a lock was not available within about 1.1 s.
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

  /// The most urgent runs first; every tenth claim takes the oldest runs, so that none waits for ever.
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
  /// Whether a claim may have met a running key: its row exists, or work in progress holds it.
  fileprivate var meetsRunning: Bool {
    sqlState == .uniqueViolation || sqlState == .lockNotAvailable
  }
}
