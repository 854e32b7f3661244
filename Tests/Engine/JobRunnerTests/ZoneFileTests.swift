import Foundation
import TestSupport
import Testing

@testable import BatonJobs

/// Tests the offsets of time zones, from the system's files and from the server.
@Suite struct ZoneFileTests {
  @Test func `the program and the server have the same offsets of every zone until 2100`()
    async throws
  {
    try await TestSchema.with { test in
      // The instants are every twelfth day between 1969 and 2099, each at another time of day.
      let rows = try await test.sql(
        """
        select name || ' ' || string_agg(
          (extract(epoch from to_timestamp(t) at time zone name) - t)::bigint::text, ' ' order by t)
        from pg_timezone_names,
          lateral (select n * 1036800 + (n * 7919) % 86400 as t from generate_series(-25::bigint, 3930) n) i
        where name ~ '^[A-Z][A-Za-z_]+/[A-Za-z0-9_+/-]+$' and name !~ '^(posix|right)/'
        group by name
        """)
      #expect(rows.count > 400)
      var different: [String] = []
      for row in rows {
        let parts = row.replacing("\"", with: "").split(separator: " ")
        let zone = try #require(Zone(String(parts[0])), "\(parts[0])")
        for (number, offset) in zip(Int64(-25)...3930, parts.dropFirst()) {
          let instant = number * 1_036_800 + (number * 7_919) % 86_400
          if zone.offset(at: instant) != Int64(offset) {
            different.append(
              "\(parts[0]) at \(instant): \(zone.offset(at: instant)), server \(offset)")
          }
        }
      }
      #expect(different == [], "\(different.count)")
    }
  }

  @Test(arguments: [
    "../etc/passwd", "Europe/../../../etc/passwd", "right/Europe/Berlin", "posix/Europe/Berlin",
    "/Europe/Berlin", "Europe/", "Europe//Berlin", "europe/berlin", "CET", "Europe/Berlin\0", "",
    "Europe",
  ])
  func `a text that is not the name of a zone is none`(name: String) {
    #expect(Zone(name) == nil)
  }

  /// A rule, and its offsets at some instants.
  struct Case: Sendable {
    let rule: String
    let instants: [Int64]
    let offsets: [Int64]
  }

  private static let cases: [Case] = [
    // The changes of Berlin in 2040, one second before each change and at each change.
    Case(
      rule: "CET-1CEST,M3.5.0,M10.5.0/3", instants: [2_216_249_999, 2_216_250_000],
      offsets: [3_600, 7_200]),
    Case(
      rule: "CET-1CEST,M3.5.0,M10.5.0/3", instants: [2_234_998_799, 2_234_998_800],
      offsets: [7_200, 3_600]),
    // A zone of the southern hemisphere, where the year begins in daylight-saving time.
    Case(
      rule: "AEST-10AEDT,M10.1.0,M4.1.0/3", instants: [2_208_988_800, 2_224_785_600],
      offsets: [39_600, 36_000]),
    // Names in brackets, and a rule with negative hours.
    Case(
      rule: "<-02>2<-01>,M3.5.0/-1,M10.5.0/0", instants: [2_208_988_800, 2_224_785_600],
      offsets: [-7_200, -3_600]),
    // Days of the year: 1 March by both ways of counting, in a leap year.
    Case(
      rule: "AAA-1BBB,J60/0,J300", instants: [2_214_169_199, 2_214_169_200],
      offsets: [3_600, 7_200]),
    Case(
      rule: "AAA-1BBB,60/0,300", instants: [2_214_169_199, 2_214_169_200],
      offsets: [3_600, 7_200]),
    Case(rule: "UTC0", instants: [0], offsets: [0]),
  ]

  @Test(arguments: cases) func `a rule says the offset`(of case: Case) throws {
    let rule = try #require(ZoneRule(`case`.rule))
    #expect(`case`.instants.map { rule.offset(at: $0) } == `case`.offsets)
  }

  @Test(arguments: [
    "", "AB-1", "CET", "CET-1CEST", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0",
    "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.0,M10.5.0 ", "CET-1CEST,J0,J300", "<A1",
    "CET-1CEST,M3.5.0,M10.5.9",
  ])
  func `a malformed rule is refused`(text: String) { #expect(ZoneRule(text) == nil) }

  @Test(arguments: [0, 1, 43, 44, 45, 200, 900]) func `a file that is cut is refused`(
    length: Int
  ) throws {
    let data = try #require(
      FileManager.default.contents(atPath: "/usr/share/zoneinfo/Europe/Berlin"))
    #expect(ZoneFile(Array(data)) != nil)
    #expect(ZoneFile(Array(data.prefix(length))) == nil)
  }
}
