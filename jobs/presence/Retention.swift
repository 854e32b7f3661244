import BatonJobs
import Presence
import PresenceServer

/// Removes old codes, devices, messages and stored answers to commands.
///
/// The table `setting` contains the maximum age of each kind of data. Every step is limited in size
/// and complete in itself. The job may therefore be killed at any point and may run every minute.
/// Messages are removed with TRUNCATE, one week at a time.
struct Retention: StepJob {
  static let definition = Definition<Self>(
    "retention", on: [.cron("41 3 * * *")], timeout: .seconds(30))

  typealias Key = ScheduleKey

  struct State: StepState {
    var weeks = PartitionPurge<MessageWeek>()
  }

  private static let rows = 5_000

  /// Counts the rows that a run would remove.
  ///
  /// A dry run does not empty a week, because readers of that week would wait until the dry run
  /// ends.
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
    let invites = try await expired.purgeInvites(limit: rows)
    let sessions = try await expired.purgeSessions(limit: rows)
    let commands = try await expired.purgeCommands(limit: rows)
    let report =
      PartitionPurge<MessageWeek>.report() + [
        "invites": invites, "sessions": sessions, "commands": commands,
      ]
    return [invites, sessions, commands].contains(rows) ? .more(report) : .done(report)
  }
}
