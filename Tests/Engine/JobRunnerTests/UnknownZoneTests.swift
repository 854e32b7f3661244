import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// The search for time zones that the server does not recognize.
@Suite struct UnknownZoneTests {
  @Test func `of all names that a program accepts, only an invented one is unknown`() async throws {
    try await TestSchema.with { test in
      try await test.sql(
        """
        insert into schedule (job, name, expression, time_zone, missed, in_development)
        select 'a', 'n' || row_number() over (), '0 6 * * *', name, 'once', false
        from (
          select name from pg_timezone_names
          where name ~ '^[A-Z][A-Za-z_]+/[A-Za-z0-9_+/-]+$' and name !~ '^(posix|right)/'
          union select 'Mars/Olympus') z
        """)
      let connection = try await test.connect()
      let found = try await Queue(Session(connection, in: test.schema)).unknownZones()
      await connection.close()
      #expect(found == ["Mars/Olympus"])
    }
  }
}
