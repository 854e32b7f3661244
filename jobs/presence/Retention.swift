import JobCore
import Presence

/// Removes codes and devices whose time was over long ago, and old answers to commands; how long stands in `setting`.
///
/// Every step is bounded and complete in itself, so it can be killed anywhere and run every minute.
struct Retention: StepJob {
  static let definition = Definition<Self>(
    "retention", on: [.cron("41 3 * * *")], timeout: .seconds(30))

  typealias Key = ScheduleKey

  struct State: StepState {}

  private static let rows = 5_000

  static func dryRun(in context: PresenceContext) async throws -> [Removal]? {
    try await context.expired.rows().map {
      Removal(table: $0.name, rows: $0.rows, oldest: $0.oldest, newest: $0.newest)
    }
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: PresenceContext
  ) async throws -> StepResult {
    let invites = try await context.expired.purgeInvites(limit: rows)
    let sessions = try await context.expired.purgeSessions(limit: rows)
    let commands = try await context.expired.purgeCommands(limit: rows)
    let report: Report = ["invites": invites, "sessions": sessions, "commands": commands]
    return [invites, sessions, commands].contains(rows) ? .more(report) : .done(report)
  }
}
