import BatonJobs
import Presence
import PresenceServer

/// Removes expired records: codes, devices, messages, visits, responses to commands, inactive
/// anonymous users, ended memberships and ended groups.
///
/// The `setting` table contains the maximum age of each kind of data. Every step is a complete
/// transaction of limited size, so the job may be killed at any point. Messages are removed with
/// TRUNCATE, one week at a time.
struct Retention: StepJob {
  static let definition = Definition<Self>(
    "retention", on: [.cron("41 3 * * *")], timeout: .seconds(30))

  typealias Key = ScheduleKey

  struct State: StepState {
    var weeks = PartitionPurge<MessageWeek>()
    /// The idle users who have not been deleted yet.
    var idle: [String] = []
    /// Whether the job has listed all idle users.
    var isLast = false
    var rows = RowPurge(ExpiredKind.allCases)
  }

  private static let rows = 5_000
  /// The number of users that one transaction lists.
  private static let users = 500

  /// Counts the rows that a run would remove.
  ///
  /// A dry run does not truncate any partitions, because TRUNCATE would block their readers until
  /// the dry run ends.
  static func dryRun(in context: PresenceContext) async throws -> [Removal]? {
    try await context.expired.rows().map {
      Removal(table: $0.name, rows: $0.rows, oldest: $0.oldest, newest: $0.newest)
    }
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: PresenceContext
  ) async throws -> StepResult {
    let expired = context.expired
    if let report = try await state.weeks.step(
      list: { try await expired.oldWeeks() }, empty: { try await expired.empty($0) })
    {
      return .more(report)
    }
    if let report = try await forgetUsers(&state, in: expired) { return .more(report) }
    let piece = try await state.rows.step { kind, position in
      try await expired.purge(kind, limit: rows, from: position)
    }
    guard let piece else { return .done(counts()) }
    return .more(counts() + [piece.kind.rawValue: piece.deleted])
  }

  /// Deletes one idle user, or lists idle users.
  ///
  /// Each user is deleted in a separate transaction, because the deletion locks the user's groups.
  /// If a call has listed or updated the maximum number of users, the job reads another list of
  /// idle users. A listed user who has become active again is not deleted. If another transaction
  /// has locked an active user's row, a later call stores the user's activity.
  ///
  /// - Returns: The counts of this step, or nil if no users are left.
  private static func forgetUsers(
    _ state: inout State, in expired: any ExpiredRecords
  ) async throws -> Report? {
    if let user = state.idle.popLast() {
      let isGone = try await expired.forget(user)
      return counts() + ["users": isGone ? 1 : 0]
    }
    guard !state.isLast else { return nil }
    let found = try await expired.idleUsers(limit: users)
    state.idle = found.idle
    state.isLast = found.idle.count + found.active < users
    return counts()
  }

  /// Returns a report in which every count is zero, with the same names in the same order for every
  /// step.
  private static func counts() -> Report {
    ExpiredKind.allCases.reduce(into: PartitionPurge<MessageWeek>.report() + ["users": 0]) {
      $0.add(0, $1.rawValue)
    }
  }
}
