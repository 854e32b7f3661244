import BatonPostgres
import TestSupport
import Testing

/// Tests the names of time zones: exactly the server's own names.
@Suite(.timeLimit(.minutes(5))) struct TimeZoneNameTests {
  @Test func `each zone of the server is one, and its session's stays what it was`() async throws {
    try await TestSchema.with { test in
      let missed = try await test.sql(
        """
        select name from pg_timezone_names
        where name !~ '(^|/)(Factory|localtime|posixrules)$' and is_time_zone(name) is not true
        """)
      #expect(missed == [])
      let zones = try await test.sql(
        """
        select set_config('TimeZone', 'Asia/Tokyo', true), is_time_zone('Etc/GMT+5'),
          is_time_zone('Europe/Athens'), is_time_zone('Mars/Olympus'), current_setting('TimeZone')
        """)
      #expect(zones == ["Asia/Tokyo,t,t,f,Asia/Tokyo"])
    }
  }

  /// Some of the names can be set, and times can be displayed in these zones.
  @Test func `nothing else is one`() async throws {
    try await TestSchema.with { test in
      let none = try await test.sql(
        """
        select name from unnest(array['europe/athens', 'utc', 'PDT', 'FOO', 'FOO+3', 'AAA0BBB', '<+03>-3', '+03',
          '', ' UTC', 'UTC ', 'Factory', 'posix/Factory', 'localtime', 'posixrules', 'Etc/GMT+13', 'Etc/GMT-15',
          'Etc/GMT+05', 'GMT+1', 'UTC0', repeat('x', 10000000), 'Europe', 'Europe/', '../UTC', 'local', 'default', 'interval ''x''', 'INTERVAL ''1''', 'inf', 'Ä', repeat('x', 300)]) name
        where is_time_zone(name) is distinct from false
        """)
      #expect(none == [])
      #expect(try await test.sql("select is_time_zone(null) is null") == ["t"])
    }
  }
}
