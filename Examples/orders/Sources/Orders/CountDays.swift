import Baton

/// Counts the parcels of the days that are over, every morning.
///
/// The rows say what is due, not the clock that woke the run: late, early or twice, it is the same.
struct CountDays: BatchJob {
  static let definition = Definition(
    "count-days",
    on: .manual,
    debounce: .none,
    batch: 1,
    retry: .attempts(8, exponentialFrom: .seconds(1), to: .seconds(300)),
    timeout: .seconds(20),
    schedule: .cron("0 6 * * *", timeZone: "Europe/Berlin", missed: .once))

  init(key: String, payload: String?) throws { try Schedule.requireKey(key) }

  static func run(_ batch: [Self], in parcels: Parcels) async throws {
    try await parcels.countDays()
  }
}
