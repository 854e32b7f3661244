import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests what a replay refuses, and that its error names the way out.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ReplayRefusalTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let lines = [
    "group,member,occurred_at", "g1,m1,2024-03-01T10:00:00Z", "g1,m2,2024-03-01T11:30:00+01:00",
    "g1,m1,2024-03-02T10:00:00Z", "g2,m1,2024-03-04T23:59:59-05:00",
  ]

  private func write(_ name: String = "file.csv", _ lines: [String] = lines) throws -> String {
    try folder.write(name, lines: lines)
  }

  /// Returns everything that a replay writes, as one text for each table.
  private func everything(_ schema: TestSchema) async throws -> [String] {
    var state: [String] = []
    for table in ["development", "groups", "users", "member", "workout", "entry", "standing"] {
      state += try await schema.sql(
        "select coalesce(string_agg(t::text, ';' order by t::text), 'none') from \(table) t")
    }
    return state
  }

  // MARK: - Continuing with something else

  @Test(
    .sampled(),
    arguments: [
      (["--step", "15m"], "--step 3600s"), (["--from", "2024-03-02"], "--from none"),
      (["--to", "2024-03-03"], "--to none"),
    ])
  func `a replay is not continued with other options`(
    options: [String], difference: String
  ) async throws {
    let path = try write()
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("replay", path)
      let before = try await everything(schema)
      let ended = try await schema.gymrats.start(["replay", path] + options).wait()
      expectComplaint(
        ended, status: 64, what: difference, place: schema.schema.name,
        next: "BATON_SCHEMA=another gymrats migrate")
      #expect(try await everything(schema) == before)
    }
  }

  @Test(.sampled()) func `a replay is not continued with another file`() async throws {
    let path = try write()
    let other = try write("other.csv", Self.lines + ["g9,m9,2024-03-09T10:00:00Z"])
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("replay", path)
      let before = try await everything(schema)
      expectComplaint(
        try await schema.gymrats.run("replay", other), status: 64, what: "another file",
        place: schema.schema.name, next: "original arguments")
      #expect(try await everything(schema) == before)
    }
  }

  @Test(.sampled()) func `the same replay again changes nothing, and the clock stays`() async throws
  {
    let path = try write()
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("replay", path)
      let before = try await everything(schema)
      let output = try await schema.gymrats.succeed("replay", path)
      #expect(output.hasPrefix("replayed 0 lines in 0 steps"))
      #expect(output.contains("4 lines were done before"))
      #expect(try await everything(schema) == before)
    }
  }

  @Test func `the clock stands at the end of the last step minus a microsecond`() async throws {
    let path = try write()
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("replay", path, "--to", "2024-03-02")
      let stands = "clock = timestamptz '2024-03-01 10:59:59.999999+00'"
      #expect(try await schema.sql("select \(stands) from development") == ["t"])
    }
  }

  // MARK: - A Baton that is not empty

  @Test func `a Baton with a group is not made a development one`() async throws {
    let path = try write()
    try await TestSchema.with { schema in
      try await schema.sql("insert into groups (id, name) values ('real', 'Real people')")
      let before = try await everything(schema)
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 64, what: "data that no replay wrote",
        place: schema.schema.name, next: "BATON_SCHEMA=another gymrats migrate")
      #expect(try await everything(schema) == before)
    }
  }

  @Test func `a Baton with a user alone is not made a development one`() async throws {
    let path = try write()
    try await TestSchema.with { schema in
      try await schema.sql("insert into users (id, display_name) values ('u1', 'One')")
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 64, what: "data that no replay wrote")
      #expect(try await schema.sql("select count(*) from development") == ["0"])
    }
  }

  @Test func `recorded workouts stay in production, on the server's clock`() async throws {
    let path = try write()
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "real")
      #expect(try await people.record("u1", "w1") == "accepted")
      let before = try await everything(schema)
      expectComplaint(
        try await schema.gymrats.run("replay", path), status: 64, what: "data that no replay wrote")
      #expect(try await everything(schema) == before)
      let drift = "select abs(extract(epoch from now() - domain_now())) < 1"
      #expect(try await schema.sql(drift) == ["t"])
    }
  }

  @Test(.sampled()) func `a worker and a migration beside it leave a Baton empty`()
    async throws
  {
    let path = try write()
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.gymrats.succeed("worker", "--until-idle")
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("a worker") { try await schema.sql("select id from worker").count == 1 }
      try await schema.gymrats.succeed("replay", path)
      #expect(try await schema.sql("select count(*) from workout") == ["4"])
    }
  }

  // MARK: - Arguments

  @Test(.sampled(), arguments: ["0h", "7m", "5h", "25h", "48h", "1d", "h", "-1h", "1.5h"])
  func `a step that does not divide a day is refused`(step: String) async throws {
    let path = try write()
    try await TestSchema.with { schema in
      expectComplaint(
        try await schema.gymrats.run("replay", path, "--step=\(step)"), status: 64, what: "step",
        place: "--step", next: "1h")
      #expect(try await schema.sql("select count(*) from development") == ["0"])
    }
  }

  @Test(.sampled(), arguments: ["2024-02-30", "2024-3-1", "01.03.2024", "2024-03-01T00:00:00Z"])
  func `a day that is none is refused`(day: String) async throws {
    let path = try write()
    try await TestSchema.with { schema in
      for option in ["--from", "--to"] {
        expectComplaint(
          try await schema.gymrats.run("replay", path, "\(option)=\(day)"), status: 64,
          what: "'\(day)' is not a date", place: option, next: "YYYY-MM-DD")
      }
      #expect(try await schema.sql("select count(*) from development") == ["0"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ["--from", "2025-01-01"], ["--to", "2024-03-01"],
      ["--from", "2024-03-03", "--to", "2024-03-03"],
      ["--from", "2024-03-05", "--to", "2024-03-02"],
    ])
  func `a range without a line is refused`(options: [String]) async throws {
    let path = try write()
    try await TestSchema.with { schema in
      let ended = try await schema.gymrats.start(["replay", path] + options).wait()
      expectComplaint(
        ended, status: 64, what: "no line", place: "--from and --to", next: "Widen the range")
      #expect(try await schema.sql("select count(*) from development") == ["0"])
    }
  }

  @Test(.sampled()) func `a dead run ends a replay`() async throws {
    let path = try write()
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("replay", path, "--step", "24h")
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        values (1, 'recompute-ranks', 'a key', 8, 'an error')
        """)
      let ended = try await schema.gymrats.run("replay", path, "--step", "24h")
      expectComplaint(
        ended, status: 1, what: "1 run", place: "dead_run", next: "Read their errors")
    }
  }

  // MARK: - Two at once

  @Test(.sampled())
  func `of two replays that begin at once one goes on and the other says why not`()
    async throws
  {
    let path = try write()
    try await TestSchema.with { schema in
      // Both replays may find that the schema is empty, but neither may report it before the other
      // has checked.
      let ended = try await schema.holding("lock table development in exclusive mode") { lock in
        let replays = try [1, 2].map { _ in try schema.gymrats.start("replay", path) }
        defer { for replay in replays { replay.signal(SIGKILL) } }
        try await lock.waitUntilItBlocks(2)
        try await lock.release()
        return try await [replays[0].wait(), replays[1].wait()].sorted { $0.status < $1.status }
      }
      #expect(ended[0].status == 0, "\(ended[0].errors)")
      expectComplaint(
        ended[1], status: 75, what: "nother replay", place: "clock", next: "Wait until")
      #expect(try await schema.sql("select count(*) from workout") == ["4"])
      try await schema.gymrats.succeed("replay", path)
      try await expectBoards(of: try await CheckInData(path: path).lines(), from: schema.gymrats)
    }
  }
}
