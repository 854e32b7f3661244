import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// The comparison of time zones between this machine and the server.
@Suite struct ZoneDifferenceTests {
  /// Noon on 2026-01-15, 2026-07-15 and 2027-01-15, UTC.
  private static let instants: [Int64] = [1_768_478_400, 1_784_116_800, 1_800_014_400]

  @Test func `the first instant with another offset is a difference, and equal offsets are none`() {
    func difference(_ server: [Int64]?) -> ZoneDifference.Kind? {
      ZoneDifference("Europe/Berlin", at: Self.instants, server: server)?.kind
    }
    #expect(difference([3_600, 7_200, 3_600]) == nil)
    #expect(
      difference([3_600, 3_600, 7_200])
        == .offsets(at: 1_784_116_800, here: 7_200, server: 3_600))
    #expect(difference(nil) == .unknownToServer)
    let unknown = ZoneDifference("Mars/Olympus", at: Self.instants, server: [0, 0, 0])
    #expect(unknown?.kind == .unknownHere)
  }

  @Test
  func `the server and this machine have the same rules, and a name that only one knows is found`()
    async throws
  {
    try await TestSchema.with { test in
      // A schedule in each time zone whose name a program accepts, and one in a time zone that does not exist.
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
      let queue = Queue(Session(connection, in: test.schema))
      let found = try await queue.zoneDifferences(of: [])
      await connection.close()
      #expect(found.map { "\($0.zone) \($0.kind)" } == ["Mars/Olympus unknownToServer"])
    }
  }
}
