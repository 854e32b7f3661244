import Foundation
import TestSupport
import Testing

/// `doctor`, `check` and `schedule next` of a schedule whose time zone the server no longer knows.
@Suite(.timeLimit(.minutes(5))) struct ZoneRulesTests {
  @Test(.sampled()) func `a time zone that the server does not know is named`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql(
        "select schedule('retention', 'far', cron => '0 6 1 * *', key => 'scheduled')")
      try await schema.sql("update schedule set time_zone = 'Mars/Olympus' where name = 'far'")
      for command in ["doctor", "check"] {
        let found = try await schema.gymrats.run(command)
        #expect(
          found.output.contains(
            "warning: The server does not know the time zone Mars/Olympus of a schedule"),
          "\(found.output) \(found.errors)")
        // The server of the tests has settings that `doctor` reports as critical.
        if command == "check" { #expect(found.status == 1) }
      }
      let next = try await schema.gymrats.run("schedule", "next", "retention/far")
      #expect(next.status == 78)
      #expect(next.errors.contains("Install the newest package tzdata"), "\(next.errors)")
    }
  }
}
