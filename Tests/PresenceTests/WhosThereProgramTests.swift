import Foundation
import Postgres
import Presence
import PresencePostgres
import TestSupport
import Testing

/// The executable `whosthere`, in a database where `baton` is too.
@Suite(.timeLimit(.minutes(3))) struct WhosThereProgramTests {
  private static func program(_ address: String) throws -> BatonProgram {
    BatonProgram(
      executable: try BatonProgram.path(of: "whosthere"),
      environment: ["DATABASE_URL": address])
  }

  @Test func `both products stand in one database, and neither knows the other`() async throws {
    try await TestSchema.with { challenges in
      let address = challenges.configuration.address
      let whosthere = try Self.program(address)
      let baton = BatonProgram(
        environment: ["DATABASE_URL": address, "BATON_SCHEMA": challenges.schema.name])
      try await whosthere.succeed("migrate")
      #expect(try await whosthere.succeed("groups") == "no groups\n")
      try await whosthere.succeed("worker", "--until-idle")
      try await baton.succeed("worker", "--until-idle")
      for program in [whosthere, baton] {
        let check = try await program.succeed("check")
        #expect(!check.contains("drift"))
      }
      #expect(!(try await baton.succeed("jobs", "list")).contains("whosthere"))

      let schema = try #require(Schema("whosthere"))
      let database = PresenceDatabase(challenges.configuration, schema: schema)
      let ann = try await database.accounts.signIn(.apple, subject: "ann", displayName: "Ann")
      let groups = database.groups(for: ann.id)
      _ = try await groups.createGroup(
        id: "gym", name: "Gym",
        shape: .circle(center: try Coordinate(latitude: 1, longitude: 2), radius: 50),
        isPublic: true, timeZone: "Europe/Berlin")
      let invite = try await groups.currentInvite(groupId: "gym")
      #expect(try await whosthere.succeed("present", "gym") == "nobody\n")
      let comes = try PresenceCommand(groupId: "gym", action: .checkIn, source: .manual, at: Date())
      #expect(try await database.presences(for: ann.id).send(comes).outcome == .accepted)
      await database.close()
      let there = try await whosthere.succeed("present", "gym")
      #expect(there.hasPrefix("\(ann.id)  Ann  manual since "))
      #expect(
        try await whosthere.succeed("present", "gym", "--json").contains(#""source":"manual""#))
      #expect(try await whosthere.run("present", "none").status == 66)
      #expect(
        try await whosthere.succeed("groups") == "gym  Gym  1 of 50  Europe/Berlin  public\n")
      let lines = try await whosthere.succeed("group", "gym", "--json").split(separator: "\n")
      #expect(lines.count == 2 && lines[1].contains(#""role":"admin""#))
      let missing = try await whosthere.run("group", "none")
      #expect(missing.status == 66 && missing.errors.contains("`whosthere groups` lists them"))

      // What is over for longer than 30 days goes; younger codes stay.
      let connection = try await challenges.connect()
      try await connection.sql(
        """
        update invite set created_at = now() - interval '40 days', expires_at = now() - interval '31 days'
        """, in: schema)
      let dry = try await whosthere.succeed("run", "retention", "--dry-run")
      #expect(dry.contains("invite"))
      #expect(try await connection.sql("select code from invite", in: schema) == [invite.code.text])
      try await whosthere.succeed("run", "retention")
      #expect(try await connection.sql("select code from invite", in: schema).isEmpty)
      await connection.close()
    }
  }
}
