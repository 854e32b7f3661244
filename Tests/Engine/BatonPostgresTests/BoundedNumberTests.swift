import BatonPostgres
import Foundation
import Testing

/// Numbers from outside the program must not crash the process.
@Suite struct BoundedNumberTests {
  @Test func `a number out of range becomes the nearest one`() {
    let cases: [(Double, Int64)] = [
      (1.9, 1), (-1.9, -1), (.nan, 0), (.infinity, .max), (-.infinity, .min), (1e308, .max),
      (-1e308, .min), (9_223_372_036_854_775_808, .max), (-9_223_372_036_854_775_808, .min),
      (9_007_199_254_740_992, 9_007_199_254_740_992), (-0.0, 0), (.leastNonzeroMagnitude, 0),
    ]
    for (number, expected) in cases { #expect(Int64(bounded: number) == expected, "\(number)") }
  }

  @Test func `a text of a year that no timestamp holds is an error`() throws {
    for year in ["294277", "999999", "99999999", "999999999999"] {
      #expect(throws: (any Error).self) {
        try JSONDecoder().decode(Timestamp.self, from: Data("\"\(year)-01-01T00:00:00Z\"".utf8))
      }
    }
    let last = try JSONDecoder().decode(
      Timestamp.self, from: Data("\"9999-12-31T23:59:59.999999Z\"".utf8))
    #expect(last.microseconds == 253_402_300_799_999_999)
  }

  @Test(
    arguments: [
      // Days that the Julian calendar names otherwise, and the first leap days of both rules.
      ("1500-03-01T00:00:00", -14_826_672_000), ("0001-01-01T00:00:00", -62_135_596_800),
      ("1582-10-04T23:59:59", -12_220_156_801), ("2000-02-29T12:00:00", 951_825_600),
    ] as [(String, Int64)])
  func `a text names the day that PostgreSQL means`(text: String, seconds: Int64) throws {
    let instant = Timestamp(microseconds: seconds * 1_000_000 + 5)
    #expect(instant.isoText == "\(text).000005Z")
    let json = Data("\"\(instant.isoText)\"".utf8)
    #expect(try JSONDecoder().decode(Timestamp.self, from: json) == instant)
  }

  @Test func `the first and the last number of microseconds have a text`() {
    #expect(Timestamp(microseconds: .min).isoText == "-290308-12-21T19:59:05.224192Z")
    #expect(Timestamp(microseconds: .max).isoText == "294247-01-10T04:00:54.775807Z")
  }

  @Test(
    arguments: [
      "1900-02-29", "2001-04-31", "2001-13-01", "2001-00-10", "1-01-01", "a-01-01", "26-01-01",
      "002026-01-01", "2026-001-01",
    ])
  func `a day that no calendar contains is an error`(day: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(Timestamp.self, from: Data("\"\(day)T00:00:00Z\"".utf8))
    }
  }
}
