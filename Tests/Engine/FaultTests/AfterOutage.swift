import Foundation
import TestSupport
import Testing

/// The invariants after a failover or a recovery, for the jobs of `CrashingWorker` with a post box.
extension TestSchema {
  /// Lets the workers finish all runs, and then stops the workers.
  func expectEnd(of workers: [TestProcess]) async throws {
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

  /// Each second between the first and the last occurrence of the schedule has one row.
  func expectEachOccurrence() async throws {
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
