import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests the files of a replay of weeks: they are complete after any kill, and no other file is
/// changed.
@Suite(.timeLimit(.minutes(5)))
struct ReplayExportTests {
  private let folder: TemporaryFolder
  private let path: String
  /// A file for tests of errors, which need neither a gap nor the retention.
  private let short: String
  private var export: String { folder.path + "/export" }

  /// Six weeks of two groups, then a gap in which retention deletes them, and one more week.
  init() throws {
    folder = try TemporaryFolder()
    let days = (0..<42).map { day in
      let month =
        day < 31
        ? "03-\(day + 1 < 10 ? "0" : "")\(day + 1)" : "04-\(day - 30 < 10 ? "0" : "")\(day - 30)"
      return "g\(day % 2),m\(day * day % 5),2024-\(month)T10:00:00Z"
    }
    path = try folder.write(
      "file.csv", lines: ["group,member,occurred_at"] + days + ["g0,m1,2024-09-03T10:00:00Z"])
    short = try folder.write("short.csv", lines: ["group,member,occurred_at"] + days.prefix(17))
  }

  private func replay(
    _ schema: TestSchema, of file: String? = nil, to folder: String? = nil
  ) async throws -> TestProcess.Ended {
    try await schema.gymrats.run(
      "replay", file ?? path, "--step", "24h", "--export", folder ?? export)
  }

  private func expectWhole(_ schema: TestSchema, of file: String? = nil) async throws {
    try await expectExport(
      in: export, of: try await CheckInData(path: file ?? path).lines(), step: 86_400)
  }

  /// Runs a replay that is killed when it begins to write the n-th block of lines, including notes.
  private func killAtWrite(_ number: Int, _ schema: TestSchema) async throws -> Bool {
    try await Strace.kill(
      at: "write", number: number, schema.gymrats,
      ["replay", path, "--step", "24h", "--export", export],
      onlyFor: ["boards.jsonl", "notifications.jsonl", ".closes"].map { "\(export)/\($0)" })
  }

  // MARK: - Kills

  /// Each closing has three writes: boards, notifications, the note.
  @Test(
    .enabled(if: TestSize.isFull, "kills between files: make test-all"),
    .enabled(if: Strace.isInstalled, "needs strace"))
  func `killed between a close and each of its files, each line is written once`() async throws {
    try await TestSchema.with { schema in
      for number in Randomness.sample(3, of: [1, 2, 3, 2, 4, 5, 6]) {
        #expect(try await killAtWrite(number, schema), "killed at write \(number)")
      }
      let ended = try await replay(schema)
      #expect(ended.status == 0, "\(ended.errors)")
      try await expectWhole(schema)
    }
  }

  @Test(.sampled())
  func `killed at any moment, again and again, each line is written once`() async throws {
    let random = Randomness()
    let file: String = TestSize.isFull ? path : short
    try await TestSchema.with { schema in
      var wasKilled = 0
      for _ in 0..<(TestSize.isFull ? 25 : 3) {
        let process = try schema.gymrats.start(
          "replay", file, "--step", "24h", "--export", export)
        try await Task.sleep(for: .milliseconds(random.number(in: 30...250)))
        // A run that is killed three times counts as the cause, which another test checks.
        try await eventually("a moment in which no run is hit again") {
          let hit = try await schema.sql("select count(*) from run where crashes > 0")
          return !process.isRunning || hit == ["0"]
        }
        process.signal(SIGKILL)
        if try await process.wait().status != 0 { wasKilled += 1 }
      }
      let ended = try await replay(schema, of: file)
      #expect(ended.status == 0, "\(ended.errors)")
      print("killed \(wasKilled) replays with an export, \(random)")
      try await expectWhole(schema, of: file)
      let again = try await replay(schema, of: file)
      #expect(again.status == 0, "\(again.errors)")
      try await expectWhole(schema, of: file)
    }
  }

  @Test(.sampled())
  func `a disk that takes no more ends it with 74, and the same command goes on`()
    async throws
  {
    try await TestSchema.with { schema in
      // No file may exceed 1,024 bytes, which is less than the boards of a week need.
      let full = try await schema.gymrats.run(
        bash: #"ulimit -f 1; trap '' XFSZ; exec "$0" "$@""#,
        ["replay", short, "--step", "24h", "--export", export])
      #expect(full.status == 74, "\(full.errors)")
      #expect(full.errors.contains("error: The export cannot be written: "))
      #expect(full.errors.contains("where: --export \(export)\nnext:  Free disk space; the same"))
      let ended = try await replay(schema, of: short)
      #expect(ended.status == 0, "\(ended.errors)")
      try await expectWhole(schema, of: short)
    }
  }

  // MARK: - Files that are not its own

  @Test(
    .enabled(if: TestSize.isFull, "a continued export: make test-all"),
    .enabled(if: Strace.isInstalled, "needs strace"))
  func `a replay is continued into its own files only`() async throws {
    try await TestSchema.with { schema in
      #expect(try await killAtWrite(9, schema))
      let notes = try Data(contentsOf: URL(filePath: export + "/.closes"))
      let boards = try Data(contentsOf: URL(filePath: export + "/boards.jsonl"))
      expectRefused(try await replay(schema, to: folder.path + "/other"), "/other")
      try FileManager.default.removeItem(atPath: export + "/.closes")
      expectRefused(try await replay(schema), export)
      // The file is shorter than its recorded length.
      try notes.write(to: URL(filePath: export + "/.closes"))
      try boards.prefix(10).write(to: URL(filePath: export + "/boards.jsonl"))
      expectRefused(try await replay(schema), export)
      try boards.write(to: URL(filePath: export + "/boards.jsonl"))
      let ended = try await replay(schema)
      #expect(ended.status == 0, "\(ended.errors)")
      try await expectWhole(schema)
      // Only the boards of the last week still exist, so the other boards would be missing.
      #expect(try await schema.sql("select count(distinct closed_at) from challenge") == ["1"])
      expectRefused(try await replay(schema, to: folder.path + "/late"), "/late")
    }
  }

  @Test func `a new replay does not write over what somebody has`() async throws {
    try await TestSchema.with { schema in
      try FileManager.default.createDirectory(
        atPath: export, withIntermediateDirectories: false)
      _ = try folder.write("export/boards.jsonl", lines: ["mine"])
      expectRefused(try await replay(schema), export)
      #expect(try exported("boards.jsonl", in: export) == ["mine"])
    }
  }

  @Test(.sampled()) func `a folder that cannot be one is refused before anything is done`()
    async throws
  {
    try await TestSchema.with { schema in
      for place in [path, "/proc/nowhere", path + "/below"] {
        expectRefused(try await replay(schema, of: short, to: place), place)
        #expect(try await schema.sql("select count(*) from development") == ["0"])
        #expect(try await schema.sql("select count(*) from workout") == ["0"])
      }
      #expect(try await replay(schema, of: short).status == 0)
      try await expectWhole(schema, of: short)
    }
  }

  private func expectRefused(
    _ ended: TestProcess.Ended, _ place: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    expectComplaint(
      ended, status: 64, what: "The export cannot be written", place: place, next: "folder",
      sourceLocation: sourceLocation)
  }

  // MARK: - With and without weeks

  @Test(.sampled())
  func `a replay of ranks fires no schedule, and is not continued with weeks`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      // The writes of a worker for its schedules leave the schema empty.
      try await schema.sql("update schedule set next_at = now() - interval '8 days'")
      try await eventually("occurrences of production, and their runs") {
        try await schema.sql(
          "select (select count(*) >= 4 from occurrence), (select count(*) from run)") == ["t,0"]
      }
      try await schema.gymrats.succeed("replay", path, "--step", "24h")
      worker.signal(SIGTERM)
      try await worker.end(with: 0)
      // The state is as if the clock of the replay had passed the occurrences.
      try await schema.sql("delete from occurrence")
      try await schema.sql("update schedule set next_at = '2000-01-03Z', in_development = true")
      try await schema.gymrats.succeed("worker", "--until-idle")
      let fired = try await schema.sql(
        "select (select count(*) from occurrence), (select count(*) from closed_week)")
      #expect(fired == ["0,0"])
      #expect(
        try await schema.sql("select count(*) from challenge where state <> 'open'") == ["0"])
      for option in [["--weeks"], ["--export", export]] {
        expectComplaint(
          try await schema.gymrats.start(["replay", path, "--step", "24h"] + option).wait(),
          status: 64, what: "another replay: without --weeks", place: schema.schema.name,
          next: "BATON_SCHEMA=another")
      }
      #expect(try await schema.sql("select count(*) from closed_week") == ["0"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "..", "2024-03-04", "2024-03-04..", "..2024-03-04", "2024-03-08..2024-03-04",
      "2024-03-04..2024-03-04", "2024-03-04...2024-04-08", "2024-03-04..2024-02-30", "a..b",
    ])
  func `an outage that is no range of days is refused`(outage: String) async throws {
    try await TestSchema.with { schema in
      expectComplaint(
        try await schema.gymrats.run("replay", path, "--weeks", "--outage=\(outage)"), status: 64,
        what: "'\(outage)' is not a range of days", place: "--outage", next: "2024-03-04..")
      #expect(try await schema.sql("select count(*) from development") == ["0"])
    }
  }
}
