import Challenges
import Foundation
import TestDice
import Testing

/// Tests instants in messages, which are exact to the microsecond.
@Suite struct InstantTextTests {
  @Test(arguments: [
    ("2026-01-14T12:00:00Z", 1_768_392_000), ("2026-01-14T12:00:00.25Z", 1_768_392_000.25),
    ("2026-01-14T13:30:00+01:30", 1_768_392_000), ("2026-01-14T11:59:00-00:01", 1_768_392_000),
    ("2026-01-14T12:00:00.123456789Z", 1_768_392_000.123456), ("1970-01-01T00:00:00Z", 0),
    ("1969-12-31T23:59:59.5Z", -0.5), ("2024-02-29T00:00:00Z", 1_709_164_800),
  ])
  func `a text is an instant`(text: String, seconds: Double) {
    #expect(InstantText.date(text) == Date(timeIntervalSince1970: seconds))
  }

  @Test(arguments: [
    "", "2026-01-14", "2026-01-14T12:00:00", "2026-01-14 12:00:00Z", "2026-1-14T12:00:00Z",
    "2026-02-29T12:00:00Z", "2026-13-01T12:00:00Z", "0000-01-01T00:00:00Z",
    "2026-01-14T24:00:00Z", "2026-01-14T12:60:00Z", "2026-01-14T12:00:60Z",
    "2026-01-14T12:00:00.Z", "2026-01-14T12:00:00.1234567890Z", "2026-01-14T12:00:00z",
    "2026-01-14T12:00:00+1:00", "2026-01-14T12:00:00+24:00", "2026-01-14T12:00:00Z ",
    "+026-01-14T12:00:00Z", "2026-01-14T12:00:00,5Z", "٢٠٢٦-01-14T12:00:00Z",
  ])
  func `anything else is none`(text: String) {
    #expect(InstantText.date(text) == nil)
  }

  @Test func `every microsecond of two centuries comes back`() throws {
    var dice = Dice()
    for _ in 0..<20_000 {
      // Instants from 1900 to 2100.
      let microseconds = Int64.random(
        in: -2_208_988_800_000_000..<4_102_444_800_000_000, using: &dice)
      let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
      let text = try #require(InstantText.text(of: date))
      #expect(InstantText.date(text) == date, "\(dice) \(text)")
    }
    for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .infinity)] {
      #expect(InstantText.text(of: date).map { $0.utf8.count <= 27 } ?? true)
    }
  }

  @Test func `dates of three thousand years are those of their days`() {
    for day in stride(from: Int64(-719_162), to: 400_000, by: 1) {
      let date = CivilDate.date(ofDay: day)
      #expect(CivilDate.days(year: date.year, month: date.month, day: date.day) == day)
    }
  }
}
