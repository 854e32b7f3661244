import BatonPostgres
import Foundation
import Presence
import PresencePostgres
import PrivateServer
import TestSupport
import Testing

/// Tests the executable `whosthere`, in a database that also contains `gymrats`.
@Suite(.timeLimit(.minutes(5))) struct WhosThereProgramTests {
  private static func program(_ address: String) throws -> BatonProgram {
    BatonProgram(
      executable: try BatonProgram.path(of: "whosthere"),
      environment: ["DATABASE_URL": address])
  }

  @Test(.sampled())
  func `both products stand in one database, and neither knows the other`() async throws {
    try await TestSchema.with { challenges in
      let address = challenges.configuration.address
      let whosthere = try Self.program(address)
      let gymrats = BatonProgram(
        environment: ["DATABASE_URL": address, "BATON_SCHEMA": challenges.schema.name])
      try await whosthere.succeed("migrate")
      #expect(try await whosthere.succeed("groups") == "no groups\n")
      try await whosthere.succeed("worker", "--until-idle")
      try await gymrats.succeed("worker", "--until-idle")
      for program in [whosthere, gymrats] {
        let check = try await program.succeed("check")
        #expect(!check.contains("drift"))
      }
      #expect(!(try await gymrats.succeed("jobs", "list")).contains("whosthere"))

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
      try await whosthere.start("present", "none").end(with: 66)
      #expect(
        try await whosthere.succeed("groups") == "gym  Gym  1 of 50  Europe/Berlin  public\n")
      let lines = try await whosthere.succeed("group", "gym", "--json").split(separator: "\n")
      #expect(lines.count == 2 && lines[1].contains(#""role":"admin""#))
      let missing = try await whosthere.run("group", "none")
      #expect(missing.status == 66 && missing.errors.contains("`whosthere groups` lists them"))

      // Codes that ended more than 30 days ago are deleted, and younger codes remain.
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

  @Test(.sampled())
  func `the demo ends in who is there, who was first and what was unlocked`() async throws {
    let folder = try TemporaryFolder()
    defer { try? PrivateServer(directory: folder.path + "/.baton/whosthere-demo").destroy() }
    var whosthere = BatonProgram(
      executable: try BatonProgram.path(of: "whosthere"),
      environment: ["BATON_CHECKINS": CheckInData.year2024.path])
    whosthere.folder = folder.path
    let shown = try await whosthere.succeed("demo", "--days", "3")
    #expect(shown.contains("places, stays and departures are made up by a rule"))
    #expect(shown.contains(#/(?m)^arrivals  \d+ accepted/#))
    #expect(shown.contains(#/(?m)^\S+, \w{3} \d\d:\d\d: \d+ there, \S+ came first$/#))
    #expect(shown.contains(#/(?m)^  First Check-In: \d+, \S+ first$/#))
    let wrong = try await whosthere.run("demo", "--days", "0")
    #expect(wrong.status == 64, "\(wrong.errors)")
  }

  @Test(.sampled()) func `what is measured of it is measured, and leaves nothing`()
    async throws
  {
    try await OwnDatabase.with { address, connection in
      let whosthere = BatonProgram(
        executable: try BatonProgram.path(of: "whosthere"), environment: ["DATABASE_URL": address])
      let cases = Randomness.sample(1, of: ["summaries", "deadlines"])
      let output = try await whosthere.succeed(["bench"] + cases + ["--quick", "--json"])
      let lines = output.split(separator: "\n")
      #expect(lines.map { $0.prefix(19) } == cases.map { #"{"case":"\#($0)""# })
      #expect(lines.allSatisfy { $0.contains(#""p50_ms":"#) })
      let left = Statement(
        "test/left", "select nspname::text from pg_namespace where nspname ~ 'bench|raw'")
      #expect(try await connection.run(.count(left)) == 0)
    }
  }

  #if HTTP
    @Test(.sampled()) func `pages show the groups, and where somebody is`() async throws {
      try await OwnDatabase.with { address, _ in
        let whosthere = try Self.program(address)
        try await whosthere.succeed("migrate")
        let schema = try #require(Schema("whosthere"))
        let database = PresenceDatabase(
          ConnectionConfiguration(address: address), schema: schema)
        let ann = try await database.accounts.signIn(.apple, subject: "ann", displayName: "Ann")
        for group in ["gym", "pool"] {
          _ = try await database.groups(for: ann.id).createGroup(
            id: group, name: group.capitalized, shape: .circle(center: .at(1, 2), radius: 50),
            isPublic: true, timeZone: "UTC")
        }
        let comes = try PresenceCommand(
          groupId: "gym", action: .checkIn, source: .manual, at: Date())
        #expect(try await database.presences(for: ann.id).send(comes).outcome == .accepted)
        await database.close()
        try await whosthere.succeed("worker", "--until-idle")

        let folder = try TemporaryFolder()
        let socket = folder.path + "/http"
        let server = try whosthere.start("serve", "--http", "unix:\(socket)")
        defer { server.signal(SIGKILL) }
        let client = HTTPClient(socket: socket)
        try await eventually("an answer") {
          (try? await client.get("/health/live").status) == 200
        }
        let groups = try await client.get("/groups").body
        #expect(groups.contains("Pool") && groups.contains("Gym"))
        let there = try await client.get("/presence").body
        #expect(there.contains("Gym") && there.contains("1 of 1") && !there.contains("Pool"))
      }
    }
  #endif
}
