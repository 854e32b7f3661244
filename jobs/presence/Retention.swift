import BatonJobs
import Presence
import PresenceServer

/// Removes old codes, devices, messages and stored answers to commands; the table `setting` holds their maximum ages.
///
/// Every step is bounded and complete in itself, so the job may be killed at any point and may run every minute.
/// Messages are removed by TRUNCATE, one week at a time.
struct Retention: StepJob {
  static let definition = Definition<Self>(
    "retention", on: [.cron("41 3 * * *")], timeout: .seconds(30))

  typealias Key = ScheduleKey

  struct State: StepState {
    var weeks = PartitionPurge<MessageWeek>()
  }

  private static let rows = 5_000

  /// A dry run only counts rows: emptying a week locks it, so its readers would wait until the dry run ends.
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
