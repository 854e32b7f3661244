import BatonJobs
import Foundation

/// The recent failures of one job in one worker.
struct FailingJob {
  /// The runs that have failed separately for the same reason since the job's last success.
  private struct Suspicion {
    /// The ids of the failed runs, and the batch in which each run was first claimed.
    var runs: [Int64: UUID] = [:]
    /// The number of failures in a row, including repeated failures of the same run.
    var failures = 0

    /// Whether runs from several batches, or many runs from a large batch, failed for the same
    /// reason.
    ///
    /// - Parameter least: the minimum number of failures in a row.
    func isProof(ifAtLeast least: Int) -> Bool {
      guard failures >= least else { return false }
      return runs.count >= FailingJob.enoughRuns || Set(runs.values).count >= FailingJob.enough
    }
  }

  /// The reason why all runs of the job fail.
  struct Common {
    let reason: FailureReason
    let since: ContinuousClock.Instant
    /// The ids of the runs that have failed separately for this reason.
    ///
    /// The next failure of each run in `runs` counts as an attempt.
    fileprivate var runs: Set<Int64>
    /// The number of failures in a row that revealed the common failure.
    fileprivate let row: Int
    /// The number of failures for `reason`, including the one that revealed the common failure.
    fileprivate(set) var failures = 1
    /// The number of failed probes.
    fileprivate var probes = 0
    /// The number of times that the pause has been doubled.
    fileprivate var doublings = 0
    fileprivate var nextProbe: ContinuousClock.Instant
    /// The time until which the worker waits for the current probe.
    fileprivate var probingUntil: ContinuousClock.Instant?

    /// Whether several probes have failed, in which case the common failure will probably persist.
    var isHopeless: Bool { probes >= 3 }
  }

  /// The number of batches that is sufficient evidence of a common failure.
  ///
  /// A batch counts if at least one of its runs failed alone for the same reason as runs of the
  /// other batches.
  static let enough = 3
  /// The number of runs that is sufficient evidence of a common failure, even if they come from
  /// fewer than three batches.
  ///
  /// A run counts if it failed alone for the same reason as the other runs.
  ///
  /// The runs may all belong to one batch, because a single batch can contain the whole queue.
  static let enoughRuns = 20
  /// The pause before the first probe, which doubles up to the maximum pause.
  private static let firstPause = Duration.seconds(1)
  private static let longestPause = Duration.seconds(15)
  /// The maximum pause of a common failure that follows another one for the same reason.
  ///
  /// The job has worked in between, so probably only some of its runs fail.
  private static let longestPauseAgain = Duration.seconds(3)
  /// For this time after a common failure ends, a new one for the same reason needs more failures.
  private static let distrust = Duration.seconds(600)
  /// A new common failure then needs this many times the failures that revealed the ended one.
  private static let growth = 30
  /// The maximum number of failures in a row that a common failure can need.
  private static let mostNeeded = 3_000
  /// The maximum number of stored failure reasons.
  ///
  /// If the maximum is reached, all stored reasons are removed before the next reason is stored.
  private static let mostReasons = 20
  /// The maximum number of stored runs.
  ///
  /// If more runs have to be stored, all stored runs are removed first.
  private static let mostRuns = 20_000

  private(set) var common: Common?
  /// The latest time at which a successful effect began.
  private var successBeganAt: ContinuousClock.Instant?
  private var suspicions: [FailureReason: Suspicion] = [:]
  /// The results before ``suspicions``.
  private var results = RecentResults()
  /// For each reason of a common failure that has ended, the failures in a row that a new one
  /// needs, and the time until which it needs them.
  ///
  /// Hundreds of runs that fail may be next to each other in the queue. A success of another run
  /// then ends the common failure, and the same runs would soon reveal a new one.
  private var needed: [FailureReason: (failures: Int, until: ContinuousClock.Instant)] = [:]
  /// For each run in a split batch, the claim token of the run's first batch that was split.
  private var splitFrom: [Int64: UUID] = [:]
  /// The ids of the runs that a failed batch did not name in ``FailedRuns``.
  private var unnamed: Set<Int64> = []

  /// Begins a probe if the next probe is due.
  mutating func turn(at now: ContinuousClock.Instant) -> CommonFailures.Turn {
    guard let current = common else { return .batches }
    guard now >= current.nextProbe, current.probingUntil.map({ now >= $0 }) ?? true else {
      return .nothing
    }
    // A probe may take hours, so the next probe may begin before a long probe ends.
    common?.probingUntil = now + Self.longestPause
    return .probe
  }

  mutating func endProbe() { common?.probingUntil = nil }

  /// Whether none of the runs belongs to a batch that was split.
  func isNew(_ claim: Claim) -> Bool { claim.runs.allSatisfy { splitFrom[$0.id] == nil } }

  /// Returns whether a single failure with this reason is enough to detect a common failure.
  func isCommonAtOnce(_ reason: FailureReason, at now: ContinuousClock.Instant) -> Bool {
    reason.isCommonAtOnce && !isDistrusted(reason, at: now)
  }

  // MARK: Named runs

  /// Records the runs that a failed batch did not name.
  mutating func leaveUnnamed(_ claim: Claim) {
    if unnamed.count + claim.runs.count > Self.mostRuns { unnamed = [] }
    unnamed.formUnion(claim.runs.map(\.id))
  }

  /// Whether an earlier failed batch did not name the run.
  func wasUnnamed(_ run: Int64) -> Bool { unnamed.contains(run) }

  // MARK: Events

  /// Records a failure.
  ///
  /// Many effects run at the same time, so the order in which they end is partly chance. If an
  /// effect has succeeded that began after the failed effect, the failure does not count as a proof.
  ///
  /// - Parameter began: the time when the failed effect began, or nil for a transactional job.
  mutating func failed(
    _ claim: Claim, _ reason: FailureReason, begunAt began: ContinuousClock.Instant? = nil,
    at now: ContinuousClock.Instant
  ) -> CommonFailures.Extent {
    if let common, common.reason == reason { return failedAlike(claim, at: now) }
    if let began, let successBeganAt, began < successBeganAt, !isCommonAtOnce(reason, at: now) {
      results.addFailures(1)
      return .ofTheseRuns
    }
    suspect(claim, reason)
    let isProof = suspicions[reason]?.isProof(ifAtLeast: enough(for: reason, at: now)) ?? false
    if isProof || isCommonAtOnce(reason, at: now) {
      begin(reason, claim, at: now)
      return .common
    }
    // The probe failed for a different reason than the common failure. A failure for a different
    // reason is not a success, so the common failure remains.
    if common != nil, claim.isClaimed(after: common?.since) { delayProbe(isLonger: true, at: now) }
    return .ofTheseRuns
  }

  /// Ends the common failure, unless a transactional claim began before the common failure was
  /// detected.
  ///
  /// An effect succeeds when it returns. If some effects fail at once and others take long, the
  /// long ones return after the common failure was detected, and show that the job works.
  mutating func succeeded(
    _ claim: Claim, begunAt began: ContinuousClock.Instant? = nil,
    at now: ContinuousClock.Instant
  ) -> CommonFailures.Ended? {
    let ended = common.flatMap { began != nil || claim.isClaimed(after: $0.since) ? $0 : nil }
    if let began { successBeganAt = max(successBeganAt ?? began, began) }
    results.addSuccess(
      of: claim.runs.count, after: suspicions.values.reduce(0) { $0 + $1.failures })
    suspicions = [:]
    if !splitFrom.isEmpty { for run in claim.runs { splitFrom[run.id] = nil } }
    if !unnamed.isEmpty { for run in claim.runs { unnamed.remove(run.id) } }
    guard let ended else { return nil }
    common = nil
    if needed.count >= Self.mostReasons { needed = [:] }
    needed[ended.reason] = (min(ended.row * Self.growth, Self.mostNeeded), now + Self.distrust)
    return CommonFailures.Ended(
      reason: ended.reason, lasted: ended.since.duration(to: now), failures: ended.failures)
  }

  // MARK: Steps

  /// Returns the number of failures in a row that reveal a common failure.
  private func enough(for reason: FailureReason, at now: ContinuousClock.Instant) -> Int {
    max(results.enough, isDistrusted(reason, at: now) ? needed[reason]?.failures ?? 0 : 0)
  }

  /// Whether a common failure for this reason has ended within the last ten minutes.
  private func isDistrusted(_ reason: FailureReason, at now: ContinuousClock.Instant) -> Bool {
    needed[reason].map { now <= $0.until } ?? false
  }

  private mutating func suspect(_ claim: Claim, _ reason: FailureReason) {
    guard claim.runs.count == 1, let run = claim.runs.first else {
      if !reason.isTransient { split(claim) }
      return
    }
    if suspicions.count >= Self.mostReasons { suspicions = [:] }
    suspicions[reason, default: Suspicion()].failures += 1
    suspicions[reason, default: Suspicion()].runs[run.id] =
      splitFrom[run.id] ?? claim.firstBatch(of: run)
  }

  private mutating func split(_ claim: Claim) {
    if splitFrom.count + claim.runs.count > Self.mostRuns { splitFrom = [:] }
    for run in claim.runs where splitFrom[run.id] == nil { splitFrom[run.id] = claim.token }
  }

  private mutating func begin(
    _ reason: FailureReason, _ claim: Claim, at now: ContinuousClock.Instant
  ) {
    let suspicion = suspicions[reason] ?? Suspicion()
    common = Common(
      reason: reason, since: now, runs: Set(suspicion.runs.keys),
      row: max(suspicion.failures, 1),
      nextProbe: now + Self.firstPause, probingUntil: common?.probingUntil)
    suspicions = [:]
  }

  /// Records a failure that has the same reason as the current common failure.
  ///
  /// The failed claim is a probe, or was claimed before the common failure was detected.
  ///
  /// If the run has already failed alone for this reason, the failure counts as an attempt of that
  /// run. The job's retry policy then determines the time until the next attempt. If repeated
  /// failures of a run did not count as attempts, a run that can never succeed would be retried
  /// forever.
  private mutating func failedAlike(
    _ claim: Claim, at now: ContinuousClock.Instant
  ) -> CommonFailures.Extent {
    guard var current = common else { return .ofTheseRuns }
    var isRepeated = false
    if claim.runs.count == 1, let run = claim.runs.first {
      if current.runs.count >= Self.mostRuns { current.runs = [] }
      isRepeated = !current.runs.insert(run.id).inserted
    }
    current.failures += 1
    common = current
    if claim.isClaimed(after: current.since) { delayProbe(isLonger: !isRepeated, at: now) }
    return isRepeated ? .ofTheseRuns : .common
  }

  private mutating func delayProbe(isLonger: Bool, at now: ContinuousClock.Instant) {
    guard var current = common else { return }
    current.probes += 1
    current.doublings = isLonger ? min(current.doublings + 1, 10) : 0
    let longest = isDistrusted(current.reason, at: now) ? Self.longestPauseAgain : Self.longestPause
    let pause = min(Self.firstPause * (1 << current.doublings), longest)
    current.nextProbe = now + pause * Double.random(in: 0.75...1)
    common = current
  }
}

extension Claim {
  fileprivate func isClaimed(after instant: ContinuousClock.Instant?) -> Bool {
    instant.map { claimedAt > $0 } ?? false
  }

  /// Returns the batch in which a separately failed run was first claimed.
  ///
  /// The effects of a claim are independent, so each effect counts as a batch.
  fileprivate func firstBatch(of run: ClaimedRun) -> UUID {
    job.definition.isEffect ? UUID() : token
  }
}
