import Testing

@testable import BatonJobs

/// The keys of the runs that occurrences create, and the payloads of schedules.
@Suite struct ScheduleKeyTests {
  @Test func `occurrences share a key unless each creates a separate run`() throws {
    let occurrence = try #require(Schedule.instant(of: "2024-06-03T00:00:00Z"))
    func key(_ missed: MissedOccurrences, named name: String? = nil) -> String {
      JobSchedule(name: name, schedule: .every(.seconds(1), missed: missed), payload: nil)
        .key(of: occurrence)
    }
    #expect(key(.once) == "scheduled" && key(.skip) == "scheduled")
    #expect(key(.all) == "2024-06-03T00:00:00Z")
    #expect(key(.once, named: "weekly") == "scheduled/weekly")
    #expect(key(.all, named: "weekly") == "2024-06-03T00:00:00Z/weekly")
  }

  @Test func `a payload that is not a JSON object stops the program`() async {
    await #expect(processExitsWith: .failure) {
      _ = JobSchedule(
        name: nil, schedule: .every(.seconds(1), missed: .once), payload: "[1, 2]")
    }
  }
}
