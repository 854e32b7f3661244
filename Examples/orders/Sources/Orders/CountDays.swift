import BatonJobs

/// Counts the parcels of the past days every morning.
///
/// The rows determine the days that are counted, not the time of the run. A late, early or repeated
/// run has the same result.
struct CountDays: BatchJob {
  static let definition = Definition<Self>(
    "count-days", on: [.cron("0 6 * * *", timeZone: "Europe/Berlin")])

  typealias Key = ScheduleKey

  static func run(_ batch: [Run<Self>], in parcels: Parcels) async throws {
    try await parcels.countDays()
  }
}
