import BatonJobs
import BatonPostgres

/// Claims runs for an idle executor in the same transaction in which the dispatcher dispatches
/// events.
///
/// An executor that claims the dispatched runs itself needs a second round trip on another
/// connection, which starts only after the response of the dispatch. The dispatcher does not know
/// the jobs of the new events yet, so it claims runs of the job that the previous dispatch found
/// due. If the new events belong to another job, the claim finds no run, and an executor is woken
/// as usual.
struct ClaimAhead {
  /// The maximum time for which a claim waits for each lock.
  private static let patience = Duration.milliseconds(10)
  /// The maximum duration of a claim that finds no run.
  ///
  /// A claim reads all due runs whose keys are running. With many such runs, each dispatch would
  /// take longer, although it claims nothing.
  private static let longestInVain = Duration.milliseconds(20)
  /// The time without such claims after a claim that failed, or that took long and found no run.
  private static let pause = Duration.seconds(1)

  private let worker: WorkerContext
  /// The jobs whose runs the dispatcher may claim.
  ///
  /// The jobs are the most urgent ones, because executors claim runs of more urgent jobs first. A
  /// claim of a job that receives all payloads needs more round trips. Effects have executors of
  /// their own.
  private let jobs: [RegisteredJob]
  /// The job of the next claim, or nil if it is unknown.
  private var likely: RegisteredJob?
  private var notBefore = ContinuousClock.now

  init(for worker: WorkerContext) {
    self.worker = worker
    let transactional = worker.jobs.filter { !$0.definition.isEffect }
    let urgent = transactional.map(\.definition.priority).min()
    jobs = transactional.filter {
      $0.definition.priority == urgent && $0.definition.payloads != .all
    }
    likely = transactional.count == 1 ? jobs.first : nil
  }

  /// A claim that has not been sent yet, and the executor that will process its runs.
  struct Prepared {
    let job: RegisteredJob
    let limit: Call<Void>
    let take: Call<[ClaimedRun]>
    fileprivate let executor: ExecutorSignal.Reserved
    fileprivate let sent: SentClaim
  }

  /// Prepares a claim, or returns nil if no executor is idle or the job may not be claimed now.
  ///
  /// The caller must call ``end(_:with:)`` or ``failed(_:)`` for each prepared claim.
  func prepare() -> Prepared? {
    guard let job = likely, .now >= notBefore, worker.mayClaimAhead(job) else { return nil }
    let claimer = worker.claimer(of: job)
    guard claimer.tryBegin() else { return nil }
    guard let executor = worker.wakeUp.reserve() else {
      claimer.end()
      return nil
    }
    guard worker.solitude.tryEnter() else {
      claimer.end()
      worker.wakeUp.release(executor)
      return nil
    }
    let definition = job.definition
    let sent = SentClaim(of: job, by: worker)
    // If the key of a due run is running, the claim would fail, and the dispatch with it.
    let take = QueueCalls.claim(
      definition, token: sent.token, worker: worker.identity.id,
      from: claimer.beginSearch(of: definition).place, besideRunning: true)
    return Prepared(
      job: job, limit: QueueCalls.limitClaim(Self.patience, definition), take: take,
      executor: executor, sent: sent)
  }

  /// Gives the claimed runs to the executor, or lets it wait again if there are none.
  ///
  /// - Parameters:
  ///   - runs: the claimed runs.
  ///   - foldTook: the duration of the fold in the same transaction.
  /// - Returns: whether no executor must be woken for the job. If the claim found runs but did not
  ///   fill a batch, other due runs are rare, and the next poll finds them within 10 ms. Such runs
  ///   are quarantined, or have another priority or a running key.
  mutating func end(
    _ prepared: Prepared, with runs: [ClaimedRun], foldTook: Duration = .zero
  ) -> Bool {
    worker.claimer(of: prepared.job).end()
    guard let claim = prepared.sent.end(with: runs) else {
      if prepared.sent.sentAt.duration(to: .now) - foldTook > Self.longestInVain {
        notBefore = .now + Self.pause
      }
      worker.solitude.leave()
      worker.wakeUp.release(prepared.executor)
      return false
    }
    worker.claimedAhead(prepared.job)
    // The executor leaves the worker's solitude gate after the claim.
    worker.wakeUp.give(claim, to: prepared.executor)
    return runs.count < prepared.job.definition.batch
  }

  /// Lets the executor wait again after an error, and pauses such claims.
  mutating func failed(_ prepared: Prepared) {
    notBefore = .now + Self.pause
    worker.claimer(of: prepared.job).end()
    prepared.sent.fail()
    worker.solitude.leave()
    worker.wakeUp.release(prepared.executor)
  }

  /// Records the jobs that a dispatch has found due.
  mutating func dispatched(_ names: [String]) {
    likely = jobs.first { names.contains($0.definition.name) } ?? likely
  }
}
