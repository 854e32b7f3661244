import BatonJobs
import Presence
import PresenceServer

/// Ends automatic presences whose device has not sent anything for 12 hours.
///
/// The job also ends presences whose deadline has passed, in case the run of `auto-check-out` was
/// lost. For example, an operator can discard a dead run.
///
/// Each step is one transaction that ends a limited number of presences, so the job may be killed
/// at any point.
struct EndStalePresences: StepJob {
  static let definition = Definition<Self>(
    "end-stale-presences", on: [.every(.seconds(300))],
    retry: .usual.capped(at: .seconds(60)), keepsHistory: false)

  typealias Key = ScheduleKey

  private static let rows = 500

  static func step(
    _ run: Run<Self>, _ state: inout NoState, in context: PresenceContext
  ) async throws -> StepResult {
    let ended = try await context.presences.checkOutSilent(limit: rows)
    return ended == rows ? .more(["ended": ended]) : .done(["ended": ended])
  }
}
