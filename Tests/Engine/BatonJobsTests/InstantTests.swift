import Testing

@testable import BatonJobs

/// The only parser of instants.
///
/// All commands, forms and calls use it.
struct InstantTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0 as Int64), ("2024-02-29T23:59:59Z", 1_709_251_199),
    ("0001-01-01T00:00:00Z", -62_135_596_800), ("9999-12-31T23:59:59Z", 253_402_300_799),
    ("1969-12-31T23:59:59Z", -1), ("1600-02-29T00:00:00Z", -11_670_998_400),
  ])
  func `a date of the calendar is read and written back`(text: String, instant: Int64) {
    #expect(Schedule.instant(of: text) == instant)
    #expect(Schedule.text(of: instant) == text)
  }

  @Test(arguments: [
    "2026-02-30T00:00:00Z", "2027-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z", "2026-00-10T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z", "2026-01-01T00:00:60Z", "0000-01-01T00:00:00Z", "2026-1-01T00:00:00Z",
    "2026-01-01T00:00:00", "2026-01-01T00:00:00z", "2026-01-01 00:00:00Z", " 2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z\n", "２026-01-01T00:00:00Z", "2026-01-01T00:00:00+00:00", "",
  ])
  func `any other text is none`(text: String) { #expect(Schedule.instant(of: text) == nil) }
}
