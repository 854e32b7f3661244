import BatonPostgres
import TestSupport
import Testing

/// The instants at which a schedule fires, as the SQL function `next_occurrence` computes them.
@Suite(.timeLimit(.minutes(5))) struct OccurrenceTests {
  /// An expression, a zone, the instant of the search, and the next occurrences.
  typealias Line = (String, String, String, [String])

  private static let dates: [Line] = [
    ("0 0 * * 1", "UTC", "2024-05-15T12:00:00Z", ["2024-05-20T00:00:00Z", "2024-05-27T00:00:00Z"]),
    // The next occurrence is strictly after the instant, by at least one second.
    ("0 0 * * 1", "UTC", "2024-05-19T23:59:59Z", ["2024-05-20T00:00:00Z"]),
    ("0 0 * * 1", "UTC", "2024-05-20T00:00:00Z", ["2024-05-27T00:00:00Z"]),
    ("@hourly", "UTC", "2024-12-31T23:30:00Z", ["2025-01-01T00:00:00Z", "2025-01-01T01:00:00Z"]),
    ("@daily", "UTC", "2023-12-31T00:00:00Z", ["2024-01-01T00:00:00Z"]),
    ("@weekly", "UTC", "2024-05-15T12:00:00Z", ["2024-05-19T00:00:00Z"]),
    ("@monthly", "UTC", "2024-01-31T12:00:00Z", ["2024-02-01T00:00:00Z", "2024-03-01T00:00:00Z"]),
    ("@yearly", "UTC", "2024-02-29T00:00:00Z", ["2025-01-01T00:00:00Z"]),
    // Leap days, including a century year without a leap day.
    ("0 0 29 2 *", "UTC", "2024-02-29T00:00:00Z", ["2028-02-29T00:00:00Z"]),
    ("0 0 29 2 *", "UTC", "2096-03-01T00:00:00Z", ["2104-02-29T00:00:00Z"]),
    (
      "0 0 31 * *", "UTC", "2024-03-31T00:00:00Z", ["2024-05-31T00:00:00Z", "2024-07-31T00:00:00Z"]
    ),
    // If both day fields are restricted, one matching day field is sufficient. A day field that is
    // only a star is not restricted.
    (
      "0 0 13 * fri", "UTC", "2024-09-10T00:00:00Z",
      ["2024-09-13T00:00:00Z", "2024-09-20T00:00:00Z"]
    ),
    (
      "0 0 13 9 1", "UTC", "2024-09-03T00:00:00Z", ["2024-09-09T00:00:00Z", "2024-09-13T00:00:00Z"]
    ),
    ("0 0 */10 * mon", "UTC", "2024-05-01T00:00:00Z", ["2024-07-01T00:00:00Z"]),
    // Sunday has two numbers. The expressions also contain ranges, lists, steps and names.
    ("0 12 * * 7", "UTC", "2024-05-15T12:00:00Z", ["2024-05-19T12:00:00Z"]),
    (
      "0 12 * * sat-sun", "UTC", "2024-05-15T12:00:00Z",
      ["2024-05-18T12:00:00Z", "2024-05-19T12:00:00Z"]
    ),
    (
      "5,50-59/5 8 * Jan,feb MON-FRI", "UTC", "2024-02-29T08:51:00Z",
      ["2024-02-29T08:55:00Z", "2025-01-01T08:05:00Z"]
    ),
    // Dates far in the past and in the future.
    ("0 0 1 1 *", "UTC", "1899-06-01T00:00:00Z", ["1900-01-01T00:00:00Z"]),
    ("0 0 1 1 *", "Europe/Berlin", "2399-06-01T00:00:00Z", ["2399-12-31T23:00:00Z"]),
  ]

  @Test func `an expression means these instants`() async throws {
    try await expect(Self.dates)
  }

  private static let changes: [Line] = [
    // In New York, 2:00 EST becomes 3:00 EDT on 10 March 2024 at 07:00Z.
    (
      "30 2 * * *", "America/New_York", "2024-03-09T08:00:00Z",
      ["2024-03-10T07:00:00Z", "2024-03-11T06:30:00Z"]
    ),
    // Three skipped times fire once. The time 3:00 is the same instant.
    (
      "0,20,40 2,3 * * *", "America/New_York", "2024-03-10T06:00:00Z",
      ["2024-03-10T07:00:00Z", "2024-03-10T07:20:00Z"]
    ),
    ("0 3 * * *", "America/New_York", "2024-03-10T06:00:00Z", ["2024-03-10T07:00:00Z"]),
    // Hourly and half-hourly expressions follow real time: 3:00 EDT follows 1:30 EST.
    (
      "*/30 * * * *", "America/New_York", "2024-03-10T06:00:00Z",
      ["2024-03-10T06:30:00Z", "2024-03-10T07:00:00Z", "2024-03-10T07:30:00Z"]
    ),
    // On 3 November 2024, 2:00 EDT becomes 1:00 EST at 06:00Z. Clocks show 1:30 at 05:30Z and at
    // 06:30Z.
    (
      "30 1 * * *", "America/New_York", "2024-11-02T12:00:00Z",
      ["2024-11-03T05:30:00Z", "2024-11-04T06:30:00Z"]
    ),
    ("30 1 * * *", "America/New_York", "2024-11-03T06:00:00Z", ["2024-11-04T06:30:00Z"]),
    ("0 2 * * *", "America/New_York", "2024-11-02T12:00:00Z", ["2024-11-03T07:00:00Z"]),
    (
      "30 * * * *", "America/New_York", "2024-11-03T04:30:00Z",
      ["2024-11-03T05:30:00Z", "2024-11-03T06:30:00Z", "2024-11-03T07:30:00Z"]
    ),
    // In Berlin, 2:00 becomes 3:00 on 31 March 2024 at 01:00Z, and 3:00 becomes 2:00 on 27 October
    // at 01:00Z.
    (
      "15 2 * * 0", "Europe/Berlin", "2024-03-25T00:00:00Z",
      ["2024-03-31T01:00:00Z", "2024-04-07T00:15:00Z"]
    ),
    (
      "15 2 * * 0", "Europe/Berlin", "2024-10-21T00:00:00Z",
      ["2024-10-27T00:15:00Z", "2024-11-03T01:15:00Z"]
    ),
    (
      "15 * 27 10 *", "Europe/Berlin", "2024-10-26T23:30:00Z",
      ["2024-10-27T00:15:00Z", "2024-10-27T01:15:00Z", "2024-10-27T02:15:00Z"]
    ),
    // On Lord Howe, clocks change by half an hour. On 6 October 2024, 2:00 becomes 2:30, at 15:30Z
    // of the day before.
    (
      "15 2 * * *", "Australia/Lord_Howe", "2024-10-05T00:00:00Z",
      ["2024-10-05T15:30:00Z", "2024-10-06T15:15:00Z"]
    ),
    // On 7 April 2024, 2:00 becomes 1:30, at 15:00Z of the day before. Clocks show 1:45 at 14:45Z
    // and 15:15Z.
    (
      "45 1 * * *", "Australia/Lord_Howe", "2024-04-06T00:00:00Z",
      ["2024-04-06T14:45:00Z", "2024-04-07T15:15:00Z"]
    ),
    (
      "45 * * * *", "Australia/Lord_Howe", "2024-04-06T14:00:00Z",
      ["2024-04-06T14:45:00Z", "2024-04-06T15:15:00Z", "2024-04-06T16:15:00Z"]
    ),
    // In Beirut, midnight of Sunday, 27 October 2024, becomes 23:00 of Saturday at 21:00Z. Clocks
    // show 23:30 of Saturday at 20:30Z and at 21:30Z. The next Saturday is six days later.
    (
      "30 * * * sat", "Asia/Beirut", "2024-10-26T20:00:00Z",
      ["2024-10-26T20:30:00Z", "2024-10-26T21:30:00Z", "2024-11-01T22:30:00Z"]
    ),
    // Samoa skipped 30 December 2011.
    (
      "0 12 30 12 *", "Pacific/Apia", "2011-12-29T00:00:00Z",
      ["2011-12-30T10:00:00Z", "2012-12-29T22:00:00Z"]
    ),
    // In Sao Paulo, clocks skipped midnight on 4 November 2018.
    (
      "0 0 * * *", "America/Sao_Paulo", "2018-11-03T12:00:00Z",
      ["2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z"]
    ),
    // The expression fires every hour on one day a year. The search begins long before that day,
    // and must ignore the clock changes in between.
    (
      "0 * 3 11 *", "America/New_York", "2023-11-04T12:00:00Z",
      ["2024-11-03T04:00:00Z", "2024-11-03T05:00:00Z", "2024-11-03T06:00:00Z"]
    ),
  ]

  @Test func `where clocks are set, times keep to the wall and hours to real time`() async throws {
    try await expect(Self.changes)
  }

  private func expect(_ lines: [Line]) async throws {
    try await TestSchema.with { test in
      for (expression, zone, after, expected) in lines {
        let found = try await test.sql(
          """
          select iso_text(o) from unnest(occurrences_between(
            '\(expression)', '\(zone)', '\(after)', 'infinity', \(expected.count))) o
          """)
        #expect(found == expected, "\(expression) \(zone)")
      }
    }
  }

  @Test func `an interval fires at its multiples since 1970, also before 1970`() async throws {
    try await TestSchema.with { test in
      let found = try await test.sql(
        """
        select extract(epoch from next_occurrence('every 30 s', null, to_timestamp(t)))::bigint
        from unnest(array[0, -1, -31, 29.999999, 30]) with ordinality u (t, n) order by n
        """)
      #expect(found == ["30", "0", "-30", "30", "60"])
    }
  }

  @Test func `no occurrence is outside the range of the database's timestamps`() async throws {
    try await TestSchema.with { test in
      let found = try await test.sql(
        """
        select count(*), count(next_occurrence(e, z, t))
        from (values ('@yearly', 'Asia/Tokyo'), ('every 30 s', null), ('0 0 29 2 *', 'UTC')) s (e, z),
          unnest(array['infinity', '-infinity', '290000-01-01Z', '4700-01-01Z BC']::timestamptz[]) t
        """)
      #expect(found == ["12,0"])
      let longest = "select next_occurrence('every 999999999999999999 s', null, now()) is null"
      #expect(try await test.sql(longest) == ["t"])
    }
  }

  @Test func `a schedule that cannot be computed is an error, and null for a correction`()
    async throws
  {
    try await TestSchema.with { test in
      for bad in [
        "'@never', 'UTC'", "'@daily', null", "'@daily', 'Mars/Olympus'", "null, 'UTC'",
        "'every 0 s', null", "'every x s', null", "'0 0 30 2 *', 'UTC'",
      ] {
        let error = await #expect(throws: PostgresError.self, "\(bad)") {
          try await test.sql("select next_occurrence(\(bad), now())")
        }
        #expect(error?.sqlState == "22023", "\(bad)")
        let found = try await test.sql(
          "select next_occurrence_or_null(\(bad), now()) is null")
        #expect(found == ["t"], "\(bad)")
      }
      let withoutZone = await #expect(throws: PostgresError.self) {
        try await test.sql("select next_occurrence('@daily', null, now())")
      }
      #expect(
        withoutZone?.message
          == "the schedule '@daily' is invalid: it has no expression or no time zone")
      let error = await #expect(throws: PostgresError.self) {
        try await test.sql("select first_occurrence('report', '', '@daily', 'Mars/Olympus')")
      }
      #expect(error?.sqlState == "ZB017")
      #expect(error?.message.contains("no time zone 'Mars/Olympus'") == true)
    }
  }
}
