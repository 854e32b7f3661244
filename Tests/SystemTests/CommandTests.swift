import Foundation
import TestSupport
import Testing

/// The commands as a person uses them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandTests {
  // MARK: - The private server

  @Test func `from nothing to a board with the private server of the folder`() async throws {
    let folder = try TemporaryFolder()
    let baton = BatonProgram(folder: folder.path)
    let server = PrivateServerOfFolder(folder)
    defer { server.destroy() }

    #expect(try await baton.succeed("db", "status").hasPrefix("absent: "))
    let up = try await baton.succeed("db", "up")
    #expect(up.hasPrefix("running: PostgreSQL "))
    #expect(up.contains("  DATABASE_URL='postgresql://"))
    #expect(try await baton.succeed("db", "up") == up)
    #expect(try await baton.succeed("db", "status") == up)

    let applied = try await baton.succeed("migrate")
    #expect(applied.hasSuffix("migrations applied\n"))
    #expect(try await baton.succeed("migrate") == "schema baton: nothing to do\n")
    let replayed = try await baton.succeed("replay", CheckInData.edges.path, "--step", "24h")
    #expect(replayed.hasPrefix("replayed 416 lines in "))
    try await expectBoards(of: try await CheckInData.edges.lines(), from: baton)
    try await baton.succeed("worker", "--until-idle")

    #expect(try await baton.succeed("db", "down").hasPrefix("stopped"))
    #expect(try await baton.succeed("db", "status").hasPrefix("stopped: "))
    #expect(try await baton.run("jobs").status == 69)
    #expect(try await baton.succeed("db", "down").hasPrefix("stopped"))
    try await baton.succeed("db", "up")
    try await expectBoards(of: try await CheckInData.edges.lines(), from: baton)
  }

  @Test func `what db up prints is a DATABASE_URL for other folders`() async throws {
    let folder = try TemporaryFolder()
    let server = PrivateServerOfFolder(folder)
    defer { server.destroy() }
    let up = try await BatonProgram(folder: folder.path).succeed("db", "up")
    let address = try #require(up.split(separator: "'").dropFirst().first)
    let elsewhere = BatonProgram(environment: ["DATABASE_URL": String(address)])
    let output = try await elsewhere.succeed("migrate")
    #expect(output.hasPrefix("applied "))
  }

  // MARK: - Where the database is

  @Test func `libpq's own environment works where DATABASE_URL is not set`() async throws {
    try await TestSchema.with { schema in
      var baton = schema.baton
      baton.environment["DATABASE_URL"] = nil
      baton.environment["PGHOST"] = try socketFolder()
      baton.environment["PGPORT"] = "\(TestServer.loopbackPort)"
      baton.environment["PGUSER"] = "postgres"
      let jobs = try await baton.succeed("jobs")
      #expect(jobs.contains("recompute-ranks"))
      try await baton.succeed("worker", "--until-idle")
    }
  }

  @Test func `an empty DATABASE_URL is one that is not set`() async throws {
    try await TestSchema.with { schema in
      var baton = schema.baton
      baton.environment["DATABASE_URL"] = ""
      baton.environment["PGHOST"] = try socketFolder()
      baton.environment["PGPORT"] = "\(TestServer.loopbackPort)"
      baton.environment["PGUSER"] = "postgres"
      let output = try await baton.succeed("jobs")
      #expect(output.contains("recompute-ranks"))
    }
  }

  @Test func `DATABASE_URL goes before libpq's own environment`() async throws {
    try await TestSchema.with { schema in
      var baton = schema.baton
      baton.environment["PGHOST"] = "/nowhere"
      baton.environment["PGDATABASE"] = "no_such_database"
      baton.environment["PGPORT"] = "1"
      let output = try await baton.succeed("jobs")
      #expect(output.contains("recompute-ranks"))
    }
  }

  @Test(arguments: [true, false])
  func `a folder of the socket in DATABASE_URL, percent-encoded or not`(isEncoded: Bool)
    async throws
  {
    try await TestSchema.with { schema in
      var baton = schema.baton
      let folder = try socketFolder()
      let written = isEncoded ? folder.replacing("/", with: "%2F") : folder
      #expect(written.contains("/") != isEncoded)
      let query = "host=\(written)&port=\(TestServer.loopbackPort)"
      baton.environment["DATABASE_URL"] = "postgresql://postgres@/postgres?\(query)"
      let output = try await baton.succeed("jobs")
      #expect(output.contains("recompute-ranks"))
    }
  }

  private func socketFolder() throws -> String {
    let query = try #require(try TestServer.address.split(separator: "host=").last)
    let encoded = try #require(query.split(separator: "&").first)
    return try #require(String(encoded).removingPercentEncoding)
  }

  // MARK: - Jobs

  @Test func `jobs says what is defined and when it last ran`() async throws {
    try await TestSchema.with { schema in
      let before = try await schema.baton.succeed("jobs")
      for part in [
        "recompute-ranks\n", "event entry.changed", "quiet 0.25 seconds", "at most 2.0 seconds",
        "500 runs", "8 attempts", "last ran  never",
      ] {
        #expect(before.contains(part), "\(before)")
      }
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      try await schema.baton.succeed("worker", "--until-idle")
      let after = try await schema.baton.succeed("jobs")
      #expect(!after.contains("never"))
      #expect(after.contains("2 runs in "), "\(after)")

      let line = Data(try await schema.baton.succeed("jobs", "--json").utf8)
      let job = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
      #expect(job["job"] as? String == "recompute-ranks")
      #expect(job["topic"] as? String == "entry.changed")
      #expect(job["quiet_ms"] as? Int == 250)
      #expect(job["at_most_ms"] as? Int == 2_000)
      #expect(job["runs"] as? Int == 2)
      let ranAt = try Date(try #require(job["last_ran_at"] as? String), strategy: .iso8601)
      #expect(abs(ranAt.timeIntervalSinceNow) < 60)
    }
  }

  @Test func `a job that is not defined is refused`() async throws {
    try await TestSchema.with { schema in
      for jobs in ["no-such-job", "recompute-ranks,no-such-job"] {
        expectComplaint(
          try await schema.baton.run("worker", "--until-idle", "--jobs", jobs), status: 64,
          what: "'no-such-job'", place: "--jobs", next: "baton jobs")
      }
      try await schema.baton.succeed("worker", "--until-idle", "--jobs", "recompute-ranks")
    }
  }

  // MARK: - Help

  private static let commands = [
    [], ["db"], ["db", "up"], ["db", "down"], ["db", "status"], ["migrate"], ["worker"], ["board"],
    ["replay"], ["jobs"],
  ]

  @Test(arguments: commands)
  func `every command has help, without a database`(command: [String]) async throws {
    let ended = try await BatonProgram().start(command + ["--help"]).wait()
    #expect(ended.status == 0)
    #expect(ended.errors == "")
    #expect(ended.output.contains("USAGE: \((["baton"] + command).joined(separator: " "))"))
    #expect(ended.output.contains("OVERVIEW: "))
  }

  @Test(arguments: [
    ["no-such-command"], ["db", "sideways"], ["worker", "--concurrency", "0"],
    ["worker", "--no-such-option"], ["board"], ["board", "g", "--all"], ["replay"],
  ])
  func `arguments that make no sense are wrong usage`(arguments: [String]) async throws {
    let ended = try await BatonProgram().start(arguments).wait()
    #expect(ended.status == 64)
    #expect(ended.output == "")
    #expect(ended.errors.contains("Error: "))
  }

  @Test func `the version is told`() async throws {
    let version = try await BatonProgram().succeed("--version")
    #expect(version.wholeMatch(of: /[0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
  }
}
