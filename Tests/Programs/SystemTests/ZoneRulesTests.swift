import Foundation
import TestSupport
import Testing

/// `doctor` and `check` on a machine whose zone files differ from those of the server.
@Suite(.timeLimit(.minutes(5))) struct ZoneRulesTests {
  /// Runs the program where Lisbon has the zone file of Tokyo, which only this process sees.
  private static let elsewhere = MountedFiles.bash([
    ("/usr/share/zoneinfo/Asia/Tokyo", "/usr/share/zoneinfo/Europe/Lisbon")
  ])

  @Test(.enabled(if: MountedFiles.isAllowed, "needs root"))
  func `another zone file is named by doctor and check, and equal files are not`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql(
        """
        select schedule('retention', 'west', cron => '0 6 1 * *', time_zone => 'Europe/Lisbon',
          key => 'scheduled')
        """)
      for command in ["doctor", "check"] {
        let other = try await schema.gymrats.run(bash: Self.elsewhere, [command])
        let lines = other.output.split(separator: "\n").map(String.init)
        let first = lines.firstIndex {
          $0.hasPrefix("warning: The time zone Europe/Lisbon has other rules on this machine")
        }
        let line = try #require(first, "\(command): \(other.output) \(other.errors)")
        #expect(lines[line].contains("its offset from UTC is +09:00 on this machine and +0"))
        #expect(lines[line + 1] == "  where: /usr/share/zoneinfo/Europe/Lisbon")
        #expect(lines[line + 2].contains("tzdata"))
        let same = try await schema.gymrats.run(command)
        #expect(!same.output.contains("time zone"), "\(same.output)")
        // The server of the tests has settings that `doctor` reports as critical.
        if command == "check" { #expect([other.status, same.status] == [1, 0], "\(same.errors)") }
      }
    }
  }

  @Test func `a time zone that the server does not know is named`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql(
        "select schedule('retention', 'far', cron => '0 6 1 * *', key => 'scheduled')")
      try await schema.sql("update schedule set time_zone = 'Mars/Olympus' where name = 'far'")
      let found = try await schema.gymrats.run("check")
      #expect(found.status == 1, "\(found.errors)")
      #expect(
        found.output.contains(
          "warning: The server does not know the time zone Mars/Olympus of a schedule."))
    }
  }
}
