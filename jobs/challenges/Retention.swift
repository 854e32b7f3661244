import BatonJobs
import Challenges
import ChallengesServer

/// Removes boards of weeks long gone, notifications, invites and what is counted by day; their ages stand in
/// `setting`.
///
/// Every step is bounded and complete in itself, so it can be killed anywhere and run every minute.
/// Notifications go a day at a time, by TRUNCATE.
struct Retention: StepJob {
  static let definition = Definition<Self>(
    "retention", on: [.cron("17 3 * * *")], timeout: .seconds(30), role: "retention")

  typealias Key = ScheduleKey

  struct State: StepState {
    /// Boards that go in one transaction.
    var boards = StepSize(500, within: 50...4000, around: .milliseconds(60))
    var days = PartitionPurge<NotificationDay>()
  }

  private static let rows = 5000

  /// Emptying a day locks it: a dry run that did so would keep its readers waiting to the end.
  static func dryRun(in context: JobContext) async throws -> [Removal]? {
    try await context.expired.rows().map {
      Removal(table: $0.table, rows: $0.rows, oldest: $0.oldest, newest: $0.newest)
    }
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: JobContext
  ) async throws -> StepResult {
    let expired = context.expired
    if let report = try await state.days.step(
      list: { try await expired.oldDays() }, empty: { try await expired.empty($0) })
    {
      return .more(report)
    }
    let start = ContinuousClock.now
    let gone = try await expired.purgeBoards(limit: state.boards.current)
    var report =
      PartitionPurge<NotificationDay>.report() + [
        "boards": gone, "weeks forgotten": 0, "invites": 0, "log rows": 0, "client events": 0,
        "ignored workouts folded": 0,
      ]
    // A week is forgotten when its boards are gone. It is searched for after the last of them, because
    // every search passes over all the weeks whose boards are still there.
    guard gone < state.boards.current else {
      state.boards.adapt(to: start.duration(to: .now))
      return .more(report)
    }
    let weeks = try await expired.purgeClosedWeeks(limit: rows)
    let invites = try await expired.purgeInvites(limit: rows)
    let (log, events) = try await expired.purgeUsage(limit: rows)
    let folded = try await expired.foldIgnored(limit: rows)
    report += [
      "weeks forgotten": weeks, "invites": invites, "log rows": log, "client events": events,
      "ignored workouts folded": folded,
    ]
    return [weeks, invites, log, events, folded].contains(rows) ? .more(report) : .done(report)
  }
}
