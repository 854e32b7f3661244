import Foundation
import TestSupport
import Testing

/// The invariants after a failover or a recovery, for the jobs of `CrashingWorker` with a post box.
extension TestSchema {
  /// Lets the workers finish all runs, and then stops the workers.
  ///
  /// - Parameter fault: the end of the last fault, after which the schedule must fire again.
  func expectEnd(of workers: [TestProcess], after fault: Date) async throws {
    try await expectOccurrence(after: fault)
    try await gymrats.succeed("schedule", "pause", "beat")
    try await eventually("the end of all runs", within: .seconds(60)) {
      try await sql(
        "select where not exists (select from run) and not exists (select from unfolded_event)"
      ).count == 1
    }
    for worker in workers {
      let isRunning = worker.isRunning
      #expect(isRunning, "\(worker.errorsSoFar)")
      worker.signal(SIGTERM)
    }
    for worker in workers {
      let ended = try await worker.wait(within: .seconds(30))
      // The program `CrashingWorker` does not handle the signal.
      #expect([0, 128 + SIGTERM].contains(ended.status), "\(ended.errors)")
    }
  }

  /// Waits until the row of an occurrence after the instant exists.
  func expectOccurrence(after instant: Date) async throws {
    try await eventually("an occurrence after the last fault", within: .seconds(60)) {
      try await sql(
        """
        select where exists (
          select from effect
          where key::timestamptz > to_timestamp(\(instant.timeIntervalSince1970)))
        """
      ).count == 1
    }
  }

  /// Each second from the start of the test to an occurrence after the last fault has one row.
  ///
  /// - Parameters:
  ///   - start: an instant at which the workers had registered the schedule.
  ///   - fault: the end of the last fault.
  func expectEachOccurrence(from start: Date, after fault: Date) async throws {
    let range = try await sql(
      """
      select min(key::timestamptz) < to_timestamp(\(start.timeIntervalSince1970)) + interval '10 s',
        max(key::timestamptz) > to_timestamp(\(fault.timeIntervalSince1970))
      from effect
      """)
    #expect(range == ["t,t"], "the schedule began late or stopped")
    let wrong = try await sql(
      """
      select a.at from (
        select generate_series(min(key::timestamptz), max(key::timestamptz), '1 s') as at from effect
      ) a
      where (select count(*) from effect e where e.key::timestamptz = a.at) <> 1
      """)
    #expect(wrong == [], "occurrences that are missing or repeated")
  }

  /// The cluster is the same as before, so the event log continues without a resync.
  func expectNoResync() async throws {
    #expect(try await sql("select count(*) from own_position") == ["1"])
    #expect(
      try await sql("select runs from job_activity where job = 'resync-boards' and runs > 0") == [])
  }
}
