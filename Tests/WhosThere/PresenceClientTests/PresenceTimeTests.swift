import Foundation
import Presence
import TestDice
import Testing

/// Tests instants and dates as texts.
@Suite struct PresenceTimeTests {
  @Test(arguments: [
    ("2026-01-14T12:00:00.250000Z", 1_768_392_000.25), ("1970-01-01T00:00:00.000000Z", 0),
    ("1969-12-31T23:59:59.500000Z", -0.5), ("2024-02-29T00:00:00.000001Z", 1_709_164_800.000001),
  ])
  func `a text is an instant, and the other way around`(text: String, seconds: Double) {
    #expect(InstantText.date(text) == Date(timeIntervalSince1970: seconds))
    #expect(InstantText.text(of: Date(timeIntervalSince1970: seconds)) == text)
  }

  @Test(arguments: [
    "", "2026-01-14", "2026-01-14T12:00:00Z", "2026-01-14 12:00:00.000000Z",
    "2026-01-14T12:00:00.000000z", "2026-02-29T12:00:00.000000Z", "2026-13-01T12:00:00.000000Z",
    "2026-01-14T24:00:00.000000Z", "2026-01-14T12:60:00.000000Z", "2026-01-14T12:00:60.000000Z",
    "2026-01-14T12.00:00.000000Z", "2026-01-14T12:00:00:000000Z", "2026-01-14T+2:00:00.000000Z",
    "1899-12-31T23:59:59.999999Z", "2101-01-01T00:00:00.000000Z", "2026-01-14T12:00:00.00000٠Z",
    "2026-01-14T12:00:00.000000+", "2026-01-14TT2:00:00.000000Z",
  ])
  func `anything else is none`(text: String) {
    #expect(InstantText.exactDate(text) == nil)
  }

  @Test func `every microsecond of two centuries comes back`() throws {
    var dice = Dice()
    for _ in 0..<4_000 {
      let microseconds = Int64.random(
        in: -2_208_988_800_000_000..<4_133_980_800_000_000, using: &dice)
      let date = Date(timeIntervalSince1970: Double(microseconds) / 1_000_000)
      let text = try #require(InstantText.text(of: date))
      #expect(InstantText.date(text) == date, "\(dice) \(text)")
    }
    for date in [Date.distantPast, .distantFuture, Date(timeIntervalSince1970: .nan)] {
      #expect(InstantText.text(of: date) == nil)
    }
  }

  @Test func `dates of eight centuries are those of their days`() {
    // Thirteen has no common divisor with the lengths of months, years and leap years.
    for day in stride(from: -146_097, through: 146_097, by: 13) {
      let text = LocalDate(day: day).description
      #expect(LocalDate(text)?.day == day, "\(text)")
    }
  }

  @Test(arguments: ["", "2026-1-14", "2026-02-30", "2026-00-01", "-026-01-01", "2026-01-14 "])
  func `what is no date is none`(text: String) {
    #expect(LocalDate(text) == nil)
  }

  @Test func `a date is that of the place, also where clocks change and before 1970`() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    let utc = try #require(TimeZone(secondsFromGMT: 0))
    func date(_ text: String, _ zone: TimeZone) throws -> String {
      LocalDate(try #require(InstantText.date(text)), in: zone).description
    }
    #expect(try date("2026-03-28T22:59:59.999999Z", berlin) == "2026-03-28")
    #expect(try date("2026-03-28T23:00:00.000000Z", berlin) == "2026-03-29")
    #expect(try date("2026-03-29T21:59:59.999999Z", berlin) == "2026-03-29")
    #expect(try date("2026-03-29T22:00:00.000000Z", berlin) == "2026-03-30")
    #expect(try date("1969-12-31T23:59:59.999999Z", utc) == "1969-12-31")
    #expect(LocalDate(.distantPast, in: utc) < LocalDate(.distantFuture, in: utc))
  }
}
