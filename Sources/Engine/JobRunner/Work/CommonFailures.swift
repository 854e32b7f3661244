import BatonJobs
import Foundation
import Synchronization

/// One worker's jobs whose runs all fail for the same reason.
///
/// If all runs of a job fail for the same reason, the job has a common failure. While all runs of a
/// job fail for the same reason, the worker starts only one run at a time as a probe. After each
/// failed probe, the worker waits longer before the next probe. A batch that fails because of a
/// common failure is not split, and its attempt does not count. The first successful run of the job
/// ends the common failure.
///
/// The common failures detected by one worker are not shared with other workers. If common failures
/// were shared, a worker on a faulty machine would stop the job on all machines. A restarted worker
/// detects the common failure again after a few failed runs. `docs/internals/queue.md` lists the
/// states and events of common failures.
final class CommonFailures: Sendable {
  /// The runs of a job that a worker may claim.
  enum Turn: Sendable {
    case batches
    /// The worker may claim one run to test whether the common failure persists.
    ///
    /// After the probe, the caller must call ``endProbe(of:)``.
    case probe
    /// The worker must not claim a run of the job until the next probe.
    case nothing
  }

  /// The runs to which the failure of a claim applies.
  enum Extent: Sendable, Equatable {
    /// The failure applies only to the runs of the claim.
    case ofTheseRuns
    /// Every run of the job fails for the same reason, so the failure does not count as an attempt.
    case common
  }

  private let isOn: Bool
  private let jobs = Mutex<[String: FailingJob]>([:])
  private let hasChanged = Mutex(false)

  /// Creates a state without common failures.
  ///
  /// - Parameter isOn: whether common failures are detected. Pass false if a caller is waiting for
  ///   the result, because pausing the job would delay the caller.
  init(isOn: Bool) { self.isOn = isOn }

  /// Returns which runs of a job may be claimed now.
  func turn(of job: String, at now: ContinuousClock.Instant = .now) -> Turn {
    guard isOn else { return .batches }
    return jobs.withLock { $0[job]?.turn(at: now) ?? .batches }
  }

  /// Whether all runs of a job fail for the same reason.
  ///
  /// Unlike ``turn(of:at:)``, the method does not begin a probe.
  func isCommon(to job: String) -> Bool { isOn && jobs.withLock { $0[job]?.common != nil } }

  /// Ends the current probe so that the next one can begin after the pause.
  func endProbe(of job: String) { jobs.withLock { $0[job]?.endProbe() } }

  /// Records the failure of a claim or part of a claim.
  ///
  /// - Parameter began: the time when the failed effect began, or nil for a transactional job.
  func failed(
    _ claim: Claim, _ error: any Error, begunAt began: ContinuousClock.Instant? = nil,
    at now: ContinuousClock.Instant = .now
  ) -> Extent {
    guard isOn, let reason = FailureReason(error) else { return .ofTheseRuns }
    let (extent, isChange) = jobs.withLock { jobs in
      var job = jobs[claim.job.definition.name] ?? FailingJob()
      let before = job.common?.reason
      let extent = job.failed(claim, reason, begunAt: began, at: now)
      jobs[claim.job.definition.name] = job
      return (extent, extent == .common || job.common?.reason != before)
    }
    if isChange { hasChanged.withLock { $0 = true } }
    return extent
  }

  /// Returns whether one run of a failed batch is retried separately before the batch is split.
  ///
  /// If one run of each failed batch is retried alone, three failed batches are enough to detect a
  /// common failure. If no run were retried alone, a failed batch of 100 runs would be halved seven
  /// times to reach a single run.
  func wantsOneRun(of claim: Claim, _ error: any Error) -> Bool {
    guard isOn, claim.runs.count > 1, let reason = FailureReason(error), !reason.isTransient
    else { return false }
    return jobs.withLock { jobs in
      guard let job = jobs[claim.job.definition.name] else { return !reason.isCommonAtOnce }
      return job.common == nil && job.isNew(claim) && !job.isCommonAtOnce(reason, at: .now)
    }
  }

  /// Records the runs that a failed batch did not name in ``FailedRuns``.
  func leaveUnnamed(_ claim: Claim) {
    guard isOn else { return }
    jobs.withLock { jobs in
      jobs[claim.job.definition.name, default: FailingJob()].leaveUnnamed(claim)
    }
  }

  /// Whether an earlier failed batch of the job did not name the run.
  func wasUnnamed(_ run: Int64, of job: String) -> Bool {
    isOn && jobs.withLock { $0[job]?.wasUnnamed(run) ?? false }
  }

  /// Records that a claim was completed or that one of its steps was committed.
  ///
  /// - Parameter began: the time when the effect began, or nil for a transactional job.
  /// - Returns: the common failure ended by this success, or nil.
  func succeeded(
    _ claim: Claim, begunAt began: ContinuousClock.Instant? = nil,
    at now: ContinuousClock.Instant = .now
  ) -> Ended? {
    guard isOn else { return nil }
    let ended = jobs.withLock { jobs in
      jobs[claim.job.definition.name, default: FailingJob()].succeeded(
        claim, begunAt: began, at: now)
    }
    if ended != nil { hasChanged.withLock { $0 = true } }
    return ended
  }

  /// The jobs whose probes have failed so often that a caller should not wait for them.
  var hopeless: Set<String> {
    jobs.withLock { jobs in Set(jobs.filter { $0.value.common?.isHopeless ?? false }.keys) }
  }

  // MARK: Stored state

  /// A common failure as stored for `baton status`.
  struct Stored: Sendable {
    let job: String
    let reason: String
    let age: Duration
    let failures: Int
  }

  /// Returns all common failures if they have changed since the last call, or nil otherwise.
  func takeChange() -> [Stored]? {
    let isChange = hasChanged.withLock { changed in
      defer { changed = false }
      return changed
    }
    guard isChange else { return nil }
    return jobs.withLock { jobs in
      jobs.sorted { $0.key < $1.key }.compactMap { name, job in
        job.common.map {
          Stored(
            job: name, reason: $0.reason.description, age: $0.since.duration(to: .now),
            failures: $0.failures)
        }
      }
    }
  }

  /// Makes ``takeChange()`` return the common failures again, because the last result could not be
  /// stored.
  func storeAgain() { hasChanged.withLock { $0 = true } }

  /// A common failure that has ended because a run of the job succeeded.
  struct Ended: Sendable {
    let reason: FailureReason
    let lasted: Duration
    let failures: Int
  }
}
