import Testing

@testable import BatonJobs

/// Returns the decision of a firing.
///
/// Instants are in seconds, and the schedule fires every 100 s.
@Suite struct FiringTests {
  private func firing(
    _ missed: MissedOccurrences, from next: Int64, at now: Double, delay: Double = 0
  ) -> Schedule.Firing? {
    Schedule.every(.seconds(100), missed: missed)
      .firing(from: next, delay: Int64(delay * 1_000_000), at: Int64(now * 1_000_000))
  }

  @Test func `nothing is due before its time, to the microsecond`() {
    for missed in MissedOccurrences.allCases {
      #expect(firing(missed, from: 200, at: 199.999_999) == nil)
      #expect(firing(missed, from: 200, at: 200)?.fired == [200])
      #expect(firing(missed, from: 200, at: 229.999_999, delay: 30) == nil)
      #expect(firing(missed, from: 200, at: 230, delay: 30)?.fired == [200])
    }
  }

  @Test func `skip runs what is at most a minute late and records the rest`() {
    let onTime = firing(.skip, from: 200, at: 260)
    #expect(onTime?.fired == [200] && onTime?.skipped == [] && onTime?.next == 300)
    let late = firing(.skip, from: 200, at: 260.000_001)
    #expect(late?.fired == [] && late?.skipped == [200] && late?.next == 300)
    let many = firing(.skip, from: 200, at: 555)
    #expect(many?.fired == [500] && many?.skipped == [200, 300, 400] && many?.next == 600)
    // An occurrence is late if the current time is after the occurrence plus its delay.
    #expect(firing(.skip, from: 200, at: 255, delay: 30)?.fired == [200])
  }

  @Test func `once runs the newest, however late and however many`() {
    let late = firing(.once, from: 200, at: 1_000_099)
    #expect(late?.fired == [1_000_000] && late?.skipped == [] && late?.next == 1_000_100)
  }

  @Test func `all runs each, a hundred with one firing`() {
    let late = firing(.all, from: 200, at: 20_000)
    #expect(late?.fired.count == 100 && late?.fired.first == 200 && late?.fired.last == 10_100)
    #expect(late?.next == 10_200)
    #expect(firing(.all, from: 200, at: 399)?.next == 400)
  }

  @Test func `a thousand are recorded as skipped and the rest pass`() {
    let late = firing(.skip, from: 100, at: 1_000_099)
    #expect(late?.skipped.count == 1000 && late?.fired == [] && late?.next == 1_000_100)
  }

  @Test func `occurrences share a key unless each counts`() {
    func key(_ missed: MissedOccurrences, named name: String? = nil) -> String {
      JobSchedule(name: name, schedule: .every(.seconds(1), missed: missed), payload: nil)
        .key(of: Wall.instant("2024-06-03T00:00:00Z"))
    }
    #expect(key(.once) == "scheduled" && key(.skip) == "scheduled")
    #expect(key(.all) == "2024-06-03T00:00:00Z")
    #expect(key(.once, named: "weekly") == "scheduled/weekly")
    #expect(key(.all, named: "weekly") == "2024-06-03T00:00:00Z/weekly")
  }

  @Test(arguments: ["2024-02-29T23:59:59Z", "1969-12-31T00:00:01Z", "1600-02-29T00:00:00Z"])
  func `an occurrence is called by its time`(text: String) {
    #expect(Schedule.text(of: Wall.instant(text)) == text)
  }
}
