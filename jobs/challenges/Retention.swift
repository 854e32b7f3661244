import BatonJobs
import Challenges
import ChallengesServer

/// Removes old boards, notifications, invites and daily counts.
///
/// The table `setting` contains the maximum age of each kind of data. Every step is limited in size
/// and complete in itself. The job may therefore be killed at any point and may run every minute.
/// Notifications are removed with TRUNCATE, one day at a time.
struct Retention: StepJob {
  static let definition = Definition<Self>(
    "retention", on: [.cron("17 3 * * *")], timeout: .seconds(30), role: "retention")

  typealias Key = ScheduleKey

  struct State: StepState {
    /// The number of boards that one transaction removes.
    var boards = StepSize(500, within: 50...4000, around: .milliseconds(60))
    var days = PartitionPurge<NotificationDay>()
  }

  private static let rows = 5000

  /// Counts the rows that a run would remove.
  ///
  /// A dry run does not empty a day, because readers of that day would wait until the dry run ends.
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
    // A week can only be removed after its boards. The job searches for such weeks only after
    // removing the last board, because each search reads all weeks that still have boards.
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
