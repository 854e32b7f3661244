import BatonJobs

/// Counts the parcels of the past days every morning.
///
/// The rows in the database determine which days are counted, so the start time of a run does not
/// matter. A run that starts late, starts early or is repeated has the same result.
struct CountDays: BatchJob {
  static let definition = Definition<Self>(
    "count-days", on: [.cron("0 6 * * *", timeZone: "Europe/Berlin")])

  typealias Key = ScheduleKey

  static func run(_ batch: [Run<Self>], in parcels: Parcels) async throws {
    try await parcels.countDays()
  }
}
