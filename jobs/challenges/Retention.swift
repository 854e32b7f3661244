import Challenges
import JobCore

/// Removes boards of weeks long gone and notifications, whose ages stand in the table `setting`.
///
/// Every step is bounded and complete in itself, so it can be killed anywhere and run every minute.
/// Notifications go a day at a time, by TRUNCATE.
struct Retention: StepJob {
  static let definition = Definition(
    "retention",
    on: .manual,
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(30),
    schedule: .cron("17 3 * * *", timeZone: "UTC", missed: .once),
    keepsHistory: true)

  private static let rows = 5000
  /// Boards that go in one transaction.
  private var boards = StepSize(500, within: 50...4000, around: .milliseconds(60))
  private var days = PartitionPurge<NotificationDay>()

  init(key: String, payload: String?) throws { try Schedule.requireKey(key) }

  /// Emptying a day locks it: a dry run that did so would keep its readers waiting to the end.
  static func dryRun(in context: JobContext) async throws -> [Removal]? {
    try await context.expired.rows().map {
      Removal(table: $0.table, rows: $0.rows, oldest: $0.oldest, newest: $0.newest)
    }
  }

  mutating func step(in context: JobContext) async throws -> StepResult {
    let expired = context.expired
    if let report = try await days.step(
      list: { try await expired.oldDays() }, empty: { try await expired.empty($0) })
    {
      return .more(report)
    }
    let start = ContinuousClock.now
    let gone = try await expired.purgeBoards(limit: boards.current)
    var report =
      PartitionPurge<NotificationDay>.report() + ["boards": gone, "weeks forgotten": 0]
    // A week is forgotten when its boards are gone. It is searched for after the last of them, because
    // every search passes over all the weeks whose boards are still there.
    guard gone < boards.current else {
      boards.adapt(to: start.duration(to: .now))
      return .more(report)
    }
    let weeks = try await expired.purgeClosedWeeks(limit: Self.rows)
    report += ["weeks forgotten": weeks]
    return weeks == Self.rows ? .more(report) : .done(report)
  }
}
