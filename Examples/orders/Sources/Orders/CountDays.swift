import BatonJobs

/// Counts the parcels of the days that are over, every morning.
///
/// The rows say what is due, not the clock that woke the run: late, early or twice, it is the same.
struct CountDays: BatchJob {
  static let definition = Definition<Self>(
    "count-days", on: [.cron("0 6 * * *", timeZone: "Europe/Berlin")])

  typealias Key = ScheduleKey

  static func run(_ batch: [Run<Self>], in parcels: Parcels) async throws {
    try await parcels.countDays()
  }
}
