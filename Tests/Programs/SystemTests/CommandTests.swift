import Foundation
import TestSupport
import Testing

/// Tests the commands as a person uses them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandTests {
  // MARK: - The private server

  @Test(.sampled()) func `from nothing to a board with the private server of the folder`()
    async throws
  {
    let folder = try TemporaryFolder()
    let gymrats = BatonProgram(folder: folder.path)
    let server = PrivateServerOfFolder(folder)
    defer { server.destroy() }

    try await expectNotRunning("absent: ", gymrats)
    let up = try await gymrats.succeed("db", "up")
    #expect(up.hasPrefix("running: PostgreSQL "))
    #expect(up.contains("  DATABASE_URL='postgresql://"))
    #expect(try await gymrats.succeed("db", "up") == up)
    #expect(try await gymrats.succeed("db", "status") == up)

    let applied = try await gymrats.succeed("migrate")
    #expect(applied.hasSuffix("functions, views and triggers made\n"))
    #expect(try await gymrats.succeed("migrate") == "schema gymrats: nothing to do\n")
    let replayed = try await gymrats.succeed("replay", CheckInData.edges.path, "--step", "24h")
    #expect(replayed.hasPrefix("replayed 416 lines in "))
    try await expectBoards(of: try await CheckInData.edges.lines(), from: gymrats)
    try await gymrats.succeed("worker", "--until-idle")

    #expect(try await gymrats.succeed("db", "down").hasPrefix("stopped"))
    try await expectNotRunning("stopped: ", gymrats)
    try await gymrats.start("jobs").end(with: 69)
    #expect(try await gymrats.succeed("db", "down").hasPrefix("stopped"))
    try await gymrats.succeed("db", "up")
    try await expectBoards(of: try await CheckInData.edges.lines(), from: gymrats)
  }

  private func expectNotRunning(_ word: String, _ gymrats: BatonProgram) async throws {
    let status = try await gymrats.run("db", "status")
    #expect(status.status == 69 && status.output.hasPrefix(word) && status.errors == "")
  }

  @Test(.sampled()) func `what db up prints is a DATABASE_URL for other folders`()
    async throws
  {
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

  @Test(.sampled()) func `libpq's own environment works where DATABASE_URL is not set`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      var gymrats = schema.gymrats
      gymrats.environment["DATABASE_URL"] = nil
      gymrats.environment["PGHOST"] = try socketFolder()
      gymrats.environment["PGPORT"] = try "\(TestServer.loopbackPort)"
      gymrats.environment["PGUSER"] = "postgres"
      gymrats.environment["PGDATABASE"] = schema.name
      let jobs = try await gymrats.succeed("jobs")
      #expect(jobs.contains("recompute-ranks"))
      try await gymrats.succeed("worker", "--until-idle")
    }
  }

  @Test(.sampled()) func `a service of libpq works where DATABASE_URL is not set`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let folder = try TemporaryFolder()
      let file = try folder.write(
        "services",
        lines: [
          "[tests]", "host=\(try socketFolder())", "port=\(TestServer.loopbackPort)",
          "user=postgres", "dbname=\(schema.name)",
        ])
      var gymrats = schema.gymrats
      gymrats.environment["DATABASE_URL"] = nil
      gymrats.environment["PGSERVICE"] = "tests"
      gymrats.environment["PGSERVICEFILE"] = file
      let output = try await gymrats.succeed("jobs")
      #expect(output.contains("recompute-ranks"))
    }
  }

  @Test func `a user and a password alone name no database`() async throws {
    let folder = try TemporaryFolder()
    let gymrats = BatonProgram(
      environment: ["PGUSER": "postgres", "PGPASSWORD": "top-secret"], folder: folder.path)
    let ended = try await gymrats.run("jobs")
    expectComplaint(
      ended, status: 69, what: "private server is not running", place: "DATABASE_URL",
      next: "gymrats db up")
    #expect(!ended.errors.contains("top-secret"))
  }

  @Test(.sampled()) func `an empty DATABASE_URL is one that is not set`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      var gymrats = schema.gymrats
      gymrats.environment["DATABASE_URL"] = ""
      gymrats.environment["PGHOST"] = try socketFolder()
      gymrats.environment["PGPORT"] = try "\(TestServer.loopbackPort)"
      gymrats.environment["PGUSER"] = "postgres"
      gymrats.environment["PGDATABASE"] = schema.name
      let output = try await gymrats.succeed("jobs")
      #expect(output.contains("recompute-ranks"))
    }
  }

  @Test(.sampled()) func `DATABASE_URL goes before libpq's own environment`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      var gymrats = schema.gymrats
      gymrats.environment["PGHOST"] = "/nowhere"
      gymrats.environment["PGDATABASE"] = "no_such_database"
      gymrats.environment["PGPORT"] = "1"
      let output = try await gymrats.succeed("jobs")
      #expect(output.contains("recompute-ranks"))
    }
  }

  @Test(.sampled(), arguments: [true, false])
  func `a folder of the socket in DATABASE_URL, percent-encoded or not`(isEncoded: Bool)
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      var gymrats = schema.gymrats
      let folder = try socketFolder()
      let written = isEncoded ? folder.replacing("/", with: "%2F") : folder
      #expect(written.contains("/") != isEncoded)
      let query = try "host=\(written)&port=\(TestServer.loopbackPort)"
      gymrats.environment["DATABASE_URL"] = "postgresql://postgres@/\(schema.name)?\(query)"
      let output = try await gymrats.succeed("jobs")
      #expect(output.contains("recompute-ranks"))
    }
  }

  private func socketFolder() throws -> String {
    let query = try #require(try TestServer.address.split(separator: "host=").last)
    let encoded = try #require(query.split(separator: "&").first)
    return try #require(String(encoded).removingPercentEncoding)
  }

  // MARK: - Jobs

  @Test(.sampled()) func `jobs says what is defined and when it last ran`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let table = try await schema.gymrats.succeed("jobs").split(separator: "\n")
      #expect(table.first?.hasPrefix("JOB ") == true && table.count > 5)
      let row = try #require(table.first { $0.hasPrefix("recompute-ranks ") })
      #expect(row.contains(/\ entry\.changed .* - +0 +active$/), "\(row)")
      let before = try await said(of: "recompute-ranks", in: schema)
      for part in [
        "events    entry.changed", "debounce  every 0.25 seconds, the first at once",
        "limits    none",
        "priority  5", "500 runs",
        " attempts, 1.0 seconds to 60.0 seconds", "last ran  never",
      ] {
        #expect(before.contains(part), "\(before)")
      }
      let scheduled = try await said(of: "retention", in: schema)
      for part in ["events    none", "tables    none", "debounce  none"] {
        #expect(scheduled.contains(part), "\(scheduled)")
      }
      try await publishOne(schema)
      let after = try await said(of: "recompute-ranks", in: schema)
      #expect(!after.contains("never"))
      #expect(after.contains("2 runs in "), "\(after)")
    }
  }

  @Test(.sampled()) func `jobs says the same as JSON lines`() async throws {
    try await TestSchema.with { schema in
      try await publishOne(schema)
      let jobs = try await schema.gymrats.succeed("jobs", "--json").split(separator: "\n").map {
        try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
      }
      let job = try #require(jobs.first { $0?["job"] as? String == "recompute-ranks" } ?? nil)
      #expect(job["paused_since"] == nil)
      #expect(job["topics"] as? [String] == ["entry.changed"])
      #expect(job["every_ms"] as? Int == 250)
      #expect(job["limits"] as? String == "none" && job["priority"] as? Int == 5)
      #expect(job["runs"] as? Int == 2)
      let ranAt = try Date(try #require(job["last_ran_at"] as? String), strategy: .iso8601)
      #expect(abs(ranAt.timeIntervalSinceNow) < 60)
    }
  }

  /// Returns the indented lines that `jobs show` prints after a job's name.
  private func said(of job: String, in schema: TestSchema) async throws -> String {
    let lines = try await schema.gymrats.succeed("jobs", "show", job).split(separator: "\n")
    #expect(lines.first.map(String.init) == job)
    return lines.dropFirst().joined(separator: "\n")
  }

  /// Records one workout, which changes two boards.
  private func publishOne(_ schema: TestSchema) async throws {
    let people = People(schema)
    try await people.join("u1", group: "g")
    #expect(try await people.record("u1", "w1") == "accepted")
    try await schema.gymrats.succeed("worker", "--until-idle")
  }

  @Test(.sampled()) func `a job that is not defined is refused`() async throws {
    try await TestSchema.with { schema in
      for jobs in ["no-such-job", "recompute-ranks,no-such-job"] {
        expectComplaint(
          try await schema.gymrats.run("worker", "--until-idle", "--jobs", jobs), status: 64,
          what: "'no-such-job'", place: "--jobs", next: "of this program: ")
      }
      for none in ["", ",", " "] {
        expectComplaint(
          try await schema.gymrats.run("worker", "--until-idle", "--jobs", none), status: 64,
          what: "job", place: "--jobs", next: "of this program: ")
      }
      try await schema.gymrats.succeed("worker", "--until-idle", "--jobs", "recompute-ranks")
    }
  }

  // MARK: - Help

  private static let commands = [
    [], ["init"], ["dev"], ["dev", "clock"], ["db"], ["db", "up"], ["db", "down"],
    ["db", "status"], ["migrate"], ["worker"], ["serve"], ["hash-password"], ["board"],
    ["replay"], ["jobs"], ["jobs", "list"], ["jobs", "show"], ["jobs", "pause"],
    ["jobs", "resume"], ["jobs", "retire"], ["jobs", "grant"], ["jobs", "revoke"],
    ["jobs", "grants"], ["limits"], ["limits", "list"], ["limits", "set"], ["limits", "reset"],
    ["batches"], ["batches", "list"], ["batches", "cancel"], ["batches", "retry"],
    ["run"],
    ["enqueue"], ["runs"], ["runs", "list"], ["runs", "show"], ["runs", "wait"],
    ["runs", "retry"],
    ["runs", "cancel"], ["runs", "discard"], ["check"], ["demo"], ["api"],
  ]

  @Test(.sampled(), arguments: commands)
  func `every command has help, without a database`(command: [String]) async throws {
    let ended = try await BatonProgram().start(command + ["--help"]).wait()
    #expect(ended.status == 0, "\(ended.errors)")
    #expect(ended.errors == "")
    #expect(ended.output.contains("USAGE: \((["gymrats"] + command).joined(separator: " "))"))
    #expect(ended.output.contains("OVERVIEW: "))
  }

  @Test(
    .sampled(),
    arguments: [
      ["no-such-command"], ["db", "sideways"], ["worker", "--concurrency", "0"],
      ["worker", "--no-such-option"], ["board"], ["board", "g", "--all"], ["replay"],
      ["runs", "show", "99999999999999999999"], ["runs", "cancel", "one"], ["runs", "retry"],
      ["runs", "list", "--limit", "0"], ["runs", "list", "--state", "failed"],
      ["limits", "set", "retention"], ["limits", "set", "retention", "--concurrency", "0"],
      ["batches", "cancel"], ["batches", "list", "--limit", "0"],
      ["runs", "retry", "1", "2", "--payload", "{}"],
      ["demo", "--weeks", "-1"], ["enqueue"],
    ])
  func `arguments that make no sense are wrong usage`(arguments: [String]) async throws {
    let ended = try await BatonProgram().start(arguments).wait()
    expectComplaint(
      ended, status: 64, what: "", place: "arguments", next: "--help' for more information")
  }

  @Test func `a run of a job that reads its keys needs one`() async throws {
    let ended = try await BatonProgram().start(["enqueue", "recompute-ranks"]).wait()
    expectComplaint(
      ended, status: 64, what: "requires a key", place: "--key",
      next: "Give a key that is the id of a challenge")
  }

  @Test(
    .sampled(),
    arguments: [
      (["board", "--jsn"], "--jsn"), (["board", "g1", "--all"], "not both"),
      (["board"], "Give a group or --all"), (["runs", "retry", "--al"], "--al"),
      (["runs", "discard", "--jsn"], "--jsn"), (["worker", "--concurrency", "0", "--jo"], "--jo"),
      (["runs", "discard"], "Give ids"), (["runs", "discard", "1", "--all"], "Give ids"),
      (["runs", "discard", "1", "--job", "retention"], "Give ids"),
    ])
  func `what is wrong is what is complained about`(arguments: [String], what: String) async throws {
    let words = arguments.prefix { $0.first?.isLetter == true && $0 != "g" && $0 != "g1" }
    expectComplaint(
      try await BatonProgram().start(arguments).wait(), status: 64, what: what,
      place: "arguments", next: "See 'gymrats \(words.joined(separator: " ")) --help'")
  }

  @Test func `the version is told`() async throws {
    let version = try await BatonProgram().succeed("--version")
    // The builds of `make release` and `make deb` contain the commit instead.
    let form = /[0-9]+\.[0-9]+\.[0-9]+ \((development|[0-9a-f]{12}(-changed)?)\)\n/
    #expect(version.wholeMatch(of: form) != nil)
  }
}
