import TestSupport
import Testing

/// Tests the SQL function `schedule_firing`, which decides which occurrences fire.
///
/// Instants are in seconds since 1970, and the schedule fires every 100 s.
@Suite(.timeLimit(.minutes(5))) struct ScheduleFiringTests {
  /// A firing, and its result: the fired, the skipped, and the next occurrences.
  private struct Case {
    let missed: String
    let next: Double
    let now: Double
    var delay = 0
    var until: Double?
    let result: String
  }

  private static let cases = [
    // An occurrence is not due one microsecond before its time.
    Case(missed: "once", next: 200, now: 199.999_999, result: "{} {} 200"),
    Case(missed: "once", next: 200, now: 200, result: "{200} {} 300"),
    Case(missed: "all", next: 200, now: 229.999_999, delay: 30, result: "{} {} 200"),
    Case(missed: "all", next: 200, now: 230, delay: 30, result: "{200} {} 300"),
    // The stored time is a lower bound, for example the time of a call.
    Case(missed: "once", next: 150.5, now: 160, result: "{} {} 200"),
    Case(missed: "all", next: 150.5, now: 320, result: "{200,300} {} 400"),
    // An occurrence fires if it is at most one minute late, to the microsecond, after the
    // occurrence and its delay.
    Case(missed: "skip", next: 200, now: 260, result: "{200} {} 300"),
    Case(missed: "skip", next: 200, now: 260.000_001, result: "{} {200} 300"),
    Case(missed: "skip", next: 200, now: 555, result: "{500} {200,300,400} 600"),
    Case(missed: "skip", next: 200, now: 255, delay: 30, result: "{200} {} 300"),
    // The newest occurrence fires, no matter how late it is and how many occurrences were missed.
    Case(missed: "once", next: 200, now: 1_000_099, result: "{1000000} {} 1000100"),
    Case(missed: "all", next: 200, now: 399, result: "{200,300} {} 400"),
    // The end is the last possible occurrence.
    Case(missed: "all", next: 200, now: 900, until: 400, result: "{200,300,400} {} -"),
    Case(missed: "once", next: 200, now: 900, until: 399, result: "{300} {} -"),
    Case(missed: "once", next: 200, now: 250, until: 300, result: "{200} {} 300"),
    Case(missed: "skip", next: 500, now: 900, until: 400, result: "{} {} -"),
  ]

  @Test func `a firing runs and skips due occurrences according to its policy`() async throws {
    try await TestSchema.with { test in
      for one in Self.cases {
        let until = one.until.map { "to_timestamp(\($0))" } ?? "null"
        let rows = try await test.sql(
          """
          select concat_ws(' ', array(select extract(epoch from o)::bigint from unnest(fired) o),
            array(select extract(epoch from o)::bigint from unnest(skipped) o),
            coalesce(extract(epoch from following)::bigint::text, '-'))
          from schedule_firing('every 100 s', null, '\(one.missed)', to_timestamp(\(one.next)), \(until),
            interval '\(one.delay) seconds', to_timestamp(\(one.now)))
          """)
        #expect(rows.map { $0.replacing("\"", with: "") } == [one.result], "\(one)")
      }
    }
  }

  @Test func `a firing runs at most 100 occurrences, and records at most 1,000 as skipped`()
    async throws
  {
    try await TestSchema.with { test in
      let rows = try await test.sql(
        """
        select concat_ws(' ', missed, cardinality(fired), cardinality(skipped), extract(epoch from following)::bigint)
        from unnest(array['all', 'skip']) missed, schedule_firing('every 100 s', null, missed, to_timestamp(200), null,
          interval '0', to_timestamp(1000099))
        """)
      #expect(
        rows.map { $0.replacing("\"", with: "") } == ["all 100 0 10200", "skip 0 1000 1000100"])
    }
  }

  @Test(.sampled()) func `the newest occurrence is the last of all, for a day and for years`()
    async throws
  {
    try await TestSchema.with { test in
      let different = try await test.sql(
        """
        select e || ' ' || days
        from unnest(array['0 0 * * 1', '0 */5 * * *', '0 0 29 2 *', '30 2 * * *']) e, unnest(array[0, 1, 3, 70, 800]) days,
          lateral (select timestamptz '2024-01-01Z' + days * interval '24 hours' + interval '7 s' as until) u,
          lateral (
            select occurrences_between(e, 'America/New_York', '2024-01-01Z', until, 10000) as found) f
        where newest_occurrence(e, 'America/New_York', '2024-01-01Z', until) is distinct from found[cardinality(found)]
        """)
      #expect(different == [])
    }
  }

  @Test func `the newest occurrence is the last of all around clock changes`() async throws {
    try await TestSchema.with { test in
      let different = try await test.sql(
        """
        select concat_ws(' ', e, z, until)
        from unnest(array['*/30 * * * *', '30 2 * * *', '* 1-3 * * sun']) e,
          (values ('America/New_York', timestamptz '2024-03-10 04:00Z'), ('America/New_York', '2024-11-03 03:00Z'),
            ('Australia/Lord_Howe', '2024-04-06 12:00Z'), ('Australia/Lord_Howe', '2024-10-05 12:00Z'),
            ('Pacific/Apia', '2011-12-30 08:00Z')) c (z, change),
          generate_series(change, change + interval '6 hours', interval '37 minutes') until,
          lateral (select occurrences_between(e, z, until - interval '1 day', until, 10000) as found) f
        where newest_occurrence(e, z, until - interval '1 day', until) is distinct from found[cardinality(found)]
        """)
      #expect(different == [])
    }
  }

  @Test func `a firing after a long gap computes few occurrences`() async throws {
    try await TestSchema.with { test in
      // The range of the first schedule ends with a weekend, and contains 33,480 occurrences. The
      // other schedules have an occurrence each second, and one in 24 years.
      let ranges = [
        "'* 9-17 * * mon-fri', 'Europe/Berlin', '2026-01-01Z', '2026-03-30 06:59Z'",
        "'every 1 s', null, '2026-01-01Z', '2026-03-30 07:00Z'",
        "'0 0 29 2 *', 'UTC', '2027-01-01Z', '2051-01-01Z'",
      ]
      for range in ranges {
        let count = try await calls(for: range, in: test)
        #expect((1...100).contains(count), "\(range)")
      }
    }
  }

  @Test func `a firing after few missed occurrences computes few occurrences`() async throws {
    try await TestSchema.with { test in
      let ranges = [
        ("'0 9 * * mon', 'Europe/Berlin', '2026-03-02 08:00Z', '2026-03-23 12:00Z'", 15),
        ("'0 9 * * mon', 'Europe/Berlin', '2026-03-02 08:00Z', '2026-03-09 08:00:30Z'", 5),
        ("'* 9-17 * * mon-fri', 'Europe/Berlin', '2026-01-01Z', '2026-03-30 06:59Z'", 30),
      ]
      for (range, most) in ranges {
        let count = try await calls(for: range, in: test)
        #expect((1...most).contains(count), "\(range)")
      }
    }
  }

  /// Searches for the newest occurrence of a range, which must exist, and returns the number of
  /// computed occurrences.
  private func calls(for range: String, in test: TestSchema) async throws -> Int {
    // The number grows until the session sends its statistics, at most once a second.
    let calls = """
      coalesce(pg_stat_get_xact_function_calls(
        'next_occurrence(text, text, timestamptz)'::regprocedure), 0)
      """
    let rows = try await test.sql(
      """
      select case when newest_occurrence(\(range)) is not null then \(calls) - found.before end
      from (select set_config('track_functions', 'all', true), \(calls) as before offset 0) found
      """)
    return try #require(rows.first.flatMap { Int($0) })
  }
}
