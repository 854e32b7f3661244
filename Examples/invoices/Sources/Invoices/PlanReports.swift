import Baton

/// Schedules the monthly report of each tenant, at 06:00 in the tenant's time zone.
///
/// If the time zone of the tenant changes, the new schedule replaces the old schedule.
struct PlanReports: BatchJob {
  static let definition = Definition<Self>(
    "plan-reports",
    on: [.table("tenant", on: .insert, .update(of: "zone"), key: "id", payload: .columns("zone"))])

  /// The tenant's id.
  typealias Key = Int64

  let zone: String

  static func run(_ batch: [Run<Self>], in office: Office) async throws {
    for run in batch {
      try await office.transaction.schedule(
        ScheduleRequest(
          ReportMonth(tenant: run.key), named: "tenant-\(run.key)",
          at: .cron("0 6 1 * *", timeZone: run.payload.zone), missed: .all))
    }
  }
}
