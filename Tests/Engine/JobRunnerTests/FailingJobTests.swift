import BatonJobs
import Foundation
import TestSupport
import Testing

@testable import BatonPostgres
@testable import JobRunner

/// Tests the states of a job whose runs fail for the same reason, with times that the test sets.
@Suite struct FailingJobTests {
  private static let start = ContinuousClock.now
  private static let job = ShelfJob.registered(Shelf.Calls())

  private func claim(_ runs: ClosedRange<Int64>, at second: Int = 0, token: UUID = UUID()) -> Claim
  {
    var claim = Claim(
      job: Self.job, token: token,
      runs: runs.map { id in
        ClaimedRun(
          id: id, key: "\(id)", payload: nil, attempt: 1, due: Timestamp(microseconds: 0),
          firstEventAt: Timestamp(microseconds: 0), place: RowPlace(block: 0, line: 1))
      })
    claim.claimedAt = at(second)
    return claim
  }

  private func at(_ second: Int) -> ContinuousClock.Instant { Self.start + .seconds(second) }

  private func reason(_ error: any Error) throws -> FailureReason {
    try #require(FailureReason(error))
  }

  private func server(_ state: SQLState) -> PostgresError {
    PostgresError(state, "-")
  }

  @Test func `three single runs of different batches make a reason common`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    #expect(job.failed(claim(1...1), reason, at: at(1)) == .ofTheseRuns)
    #expect(job.failed(claim(2...2), reason, at: at(1)) == .ofTheseRuns)
    #expect(job.turn(at: at(1)) == .batches)
    #expect(job.failed(claim(3...3), reason, at: at(1)) == .common)
    #expect(job.turn(at: at(1)) == .nothing)
    #expect(job.turn(at: at(2)) == .probe)
    // There is one probe at a time, unless the probe takes long.
    #expect(job.turn(at: at(2)) == .nothing)
    #expect(job.turn(at: at(16)) == .nothing)
    #expect(job.turn(at: at(17)) == .probe)
  }

  @Test func `runs of one split batch, and one run that fails again, are no proof`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    #expect(job.failed(claim(1...8), reason, at: at(1)) == .ofTheseRuns)
    for run in Int64(1)...8 {
      #expect(job.failed(claim(run...run), reason, at: at(1)) == .ofTheseRuns)
    }
    for _ in 1...5 { #expect(job.failed(claim(9...9), reason, at: at(1)) == .ofTheseRuns) }
    #expect(job.common == nil)
  }

  @Test func `twenty runs of a batch that is as large as the queue are a proof`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    #expect(job.failed(claim(1...10_000), reason, at: at(1)) == .ofTheseRuns)
    for run in Int64(1)...19 {
      #expect(job.failed(claim(run...run), reason, at: at(1)) == .ofTheseRuns)
    }
    #expect(job.failed(claim(20...20), reason, at: at(1)) == .common)
  }

  /// A job whose results were nine successes for each failure.
  private func partlyFailing(_ reason: FailureReason) -> FailingJob {
    var job = FailingJob()
    for run in Int64(1)...20 {
      #expect(job.failed(claim(run...run), reason, at: at(1)) == .ofTheseRuns)
      for _ in 1...9 { #expect(job.succeeded(claim(100...100), at: at(1)) == nil) }
    }
    return job
  }

  @Test func `three failures in a row do not count if a tenth of the runs fail`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = partlyFailing(reason)
    for run in Int64(201)...205 {
      #expect(job.failed(claim(run...run), reason, at: at(1)) == .ofTheseRuns)
    }
    #expect((206...208).contains { job.failed(claim($0...$0), reason, at: at(1)) == .common })
  }

  @Test func `failed effects do not count if an effect that began later has succeeded`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    #expect(job.succeeded(claim(100...100), begunAt: at(5), at: at(6)) == nil)
    for run in Int64(1)...10 {
      let extent = job.failed(claim(run...run), reason, begunAt: at(4), at: at(7))
      #expect(extent == .ofTheseRuns)
    }
    #expect(job.common == nil)
    let later = (Int64(11)...200).map {
      job.failed(claim($0...$0), reason, begunAt: at(6), at: at(7))
    }
    #expect(later.contains(.common))
  }

  @Test func `three failures in a row are a proof if all runs before them succeeded`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    for _ in 1...1_000 { #expect(job.succeeded(claim(100...100), at: at(1)) == nil) }
    #expect(job.failed(claim(1...1), reason, at: at(1)) == .ofTheseRuns)
    #expect(job.failed(claim(2...2), reason, at: at(1)) == .ofTheseRuns)
    #expect(job.failed(claim(3...3), reason, at: at(1)) == .common)
  }

  /// The number of failures in a row until the reason is common, with a success after them.
  private func row(of job: inout FailingJob, from first: Int64, _ reason: FailureReason) -> Int64 {
    var run = first
    while job.failed(claim(run...run), reason, at: at(1)) != .common { run += 1 }
    _ = job.succeeded(claim(1_000_000...1_000_000, at: 2), at: at(2))
    return run - first + 1
  }

  /// Otherwise, the worker would stop the job again after each probe that found another run.
  @Test func `a block of failing runs makes the reason common only twice`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    #expect(row(of: &job, from: 0, reason) == 3)
    // Successes of hundreds of other runs do not show that the block has ended.
    #expect(job.succeeded(claim(5_000...5_999, at: 3), at: at(3)) == nil)
    #expect(row(of: &job, from: 1_000, reason) == 90)
    #expect(row(of: &job, from: 10_000, reason) == 2_700)
    #expect(row(of: &job, from: 20_000, reason) == 3_000)
  }

  @Test func `ten minutes after a common failure, three failures in a row are a proof again`()
    throws
  {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    #expect(row(of: &job, from: 0, reason) == 3)
    #expect(job.succeeded(claim(1...1_000, at: 3), at: at(3)) == nil)
    for run in Int64(2_001)...2_002 {
      #expect(job.failed(claim(run...run), reason, at: at(700)) == .ofTheseRuns)
    }
    #expect(job.failed(claim(2_003...2_003), reason, at: at(700)) == .common)
  }

  @Test func `a job that names one failed run of each batch fails for a common reason`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = FailingJob()
    job.leaveUnnamed(claim(2...100))
    #expect(job.wasUnnamed(2) && !job.wasUnnamed(1))
    #expect(job.failed(claim(2...2), reason, at: at(1)) == .ofTheseRuns)
    #expect(job.failed(claim(3...3), reason, at: at(1)) == .ofTheseRuns)
    #expect(job.failed(claim(4...4), reason, at: at(1)) == .common)
    #expect(job.succeeded(claim(5...5), at: at(1)) == nil)
    #expect(!job.wasUnnamed(5))
  }

  @Test func `the failures of a few runs are a proof after earlier failures too`() throws {
    let reason = try reason(ShelfJob.Broken())
    var job = partlyFailing(reason)
    let extents = (0..<20).map { job.failed(claim(1 + $0 % 3...1 + $0 % 3), reason, at: at(1)) }
    #expect(extents.contains(.common))
  }

  @Test func `a success in between, or another error, is no proof`() throws {
    let (one, other) = (try reason(ShelfJob.Broken()), try reason(ShelfJob.Poison()))
    var job = FailingJob()
    for run in Int64(1)...20 {
      #expect(
        job.failed(claim(run...run), run.isMultiple(of: 2) ? one : other, at: at(1)) == .ofTheseRuns
      )
      if run.isMultiple(of: 4) { #expect(job.succeeded(claim(100...100), at: at(1)) == nil) }
    }
  }

  @Test(arguments: [SQLState.undefinedTable, .undefinedColumn, "53100", "53200"])
  func `some reasons are common at once`(state: SQLState) throws {
    var job = FailingJob()
    #expect(job.failed(claim(1...100), try reason(server(state)), at: at(1)) == .common)
  }

  @Test func `errors that say nothing about other runs are not compared`() {
    let errors: [any Error] = [
      Permanent("-"), Snooze(for: .zero), RetryAfter(.zero), Interrupted(), Cancelled(),
      server(.claimLost), server(.endlessChain),
    ]
    #expect(errors.allSatisfy { FailureReason($0) == nil })
  }

  @Test func `the pause doubles while different runs fail, up to 15 s`() throws {
    var job = FailingJob()
    let reason = try reason(server(.undefinedTable))
    #expect(job.failed(claim(1...100), reason, at: at(0)) == .common)
    var (second, probes) = (0, [Int]())
    for run in Int64(1)...10 {
      while job.turn(at: at(second)) != .probe { second += 1 }
      probes.append(second)
      #expect(job.failed(claim(run...run, at: second), reason, at: at(second)) == .common)
      job.endProbe()
    }
    let pauses = zip(probes.dropFirst(), probes).map { $0 - $1 }
    #expect(pauses.allSatisfy { $0 <= 15 } && (pauses.first ?? 0) <= 2, "\(pauses)")
    #expect(pauses.suffix(3).allSatisfy { $0 >= 11 }, "\(pauses)")
    #expect(job.common?.isHopeless == true)
  }

  @Test func `a run that fails again for the reason uses an attempt`() throws {
    var job = FailingJob()
    let reason = try reason(server(.undefinedTable))
    #expect(job.failed(claim(1...3), reason, at: at(0)) == .common)
    #expect(job.failed(claim(1...1, at: 2), reason, at: at(2)) == .common)
    #expect(job.failed(claim(1...1, at: 4), reason, at: at(4)) == .ofTheseRuns)
    // Such a run waits for its own retry, so the job is probed again after a second.
    job.endProbe()
    #expect(job.turn(at: at(5)) == .probe)
  }

  @Test func `only a success of a later claim ends the state`() throws {
    var job = FailingJob()
    let reason = try reason(server(.undefinedTable))
    #expect(job.failed(claim(1...1), reason, at: at(10)) == .common)
    #expect(job.succeeded(claim(2...2, at: 9), at: at(11)) == nil)
    #expect(job.turn(at: at(10)) == .nothing)
    #expect(job.succeeded(claim(2...2, at: 12), at: at(13))?.failures == 1)
    #expect(job.turn(at: at(13)) == .batches)
    // The failure was not common, so for ten minutes it does not count as common immediately.
    #expect(job.failed(claim(3...3, at: 14), reason, at: at(14)) == .ofTheseRuns)
    #expect(job.failed(claim(3...3, at: 14), reason, at: at(14 + 700)) == .common)
  }

  @Test func `an effect that returns later ends the state, even if it was claimed before`() throws {
    var job = FailingJob()
    let reason = try reason(server(.undefinedTable))
    #expect(job.failed(claim(1...1, at: 1), reason, at: at(2)) == .common)
    #expect(job.succeeded(claim(2...2, at: 1), begunAt: at(1), at: at(3)) != nil)
    #expect(job.turn(at: at(3)) == .batches)
  }

  @Test func `a probe that fails otherwise goes on, and three of them are the new reason`() throws {
    var job = FailingJob()
    let (first, second) = (try reason(server(.undefinedTable)), try reason(ShelfJob.Broken()))
    #expect(job.failed(claim(1...1), first, at: at(0)) == .common)
    #expect(job.failed(claim(2...2, at: 2), second, at: at(2)) == .ofTheseRuns)
    #expect(job.failed(claim(3...3, at: 4), second, at: at(4)) == .ofTheseRuns)
    #expect(job.common?.reason == first)
    #expect(job.failed(claim(4...4, at: 8), second, at: at(8)) == .common)
    #expect(job.common?.reason == second)
  }
}
