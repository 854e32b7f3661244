import BatonJobs
import Challenges
import ChallengesServer

/// Removes old boards, notifications, invites, daily counts, edit records, memberships and groups.
///
/// The `setting` table contains the maximum age of each kind of data. Every step is a complete
/// transaction of limited size, so the job may be killed at any point. Notifications are removed
/// with TRUNCATE, one day at a time.
struct Retention: StepJob {
  static let definition = Definition<Self>(
    "retention", on: [.cron("17 3 * * *")], timeout: .seconds(30), role: "retention")

  typealias Key = ScheduleKey

  struct State: StepState {
    /// The number of boards that one transaction removes.
    var boards = StepSize(500, within: 50...4000, around: .milliseconds(60))
    var days = PartitionPurge<NotificationDay>()
    var areBoardsGone = false
    /// The last board read, where the next step starts.
    ///
    /// `RowPurge` documents why the next step starts at the last board read.
    var reached: BoardPosition?
    var rows = RowPurge(ExpiredKind.allCases)
  }

  private static let rows = 5000

  /// Counts the rows that a run would remove.
  ///
  /// A dry run does not truncate any partitions, because TRUNCATE would block their readers until
  /// the dry run ends.
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
    // Rows other than boards can be removed only after the boards that they belong to.
    if !state.areBoardsGone {
      let start = ContinuousClock.now
      let (boards, reached) = try await expired.purgeBoards(
        limit: state.boards.current, from: state.reached)
      // A call skips locked boards, so only a call that also does not advance is the last one.
      if let reached, boards > 0 || reached != state.reached {
        state.reached = reached
        if boards == state.boards.current { state.boards.adapt(to: start.duration(to: .now)) }
        return .more(counts(["boards": boards]))
      }
      state.areBoardsGone = true
    }
    let folded = try await expired.foldIgnored(limit: rows)
    if folded > 0 { return .more(counts(["ignored workouts folded": folded])) }
    let piece = try await state.rows.step { kind, position in
      try await expired.purge(kind, limit: rows, from: position)
    }
    guard let piece else { return .done(counts()) }
    return .more(counts([piece.kind.rawValue: piece.deleted]))
  }

  /// Returns a step's counts, with the same names in the same order for every step.
  private static func counts(_ report: Report = [:]) -> Report {
    let none: Report = ["boards": 0, "ignored workouts folded": 0]
    return ExpiredKind.allCases.reduce(into: PartitionPurge<NotificationDay>.report() + none) {
      $0.add(0, $1.rawValue)
    } + report
  }
}
