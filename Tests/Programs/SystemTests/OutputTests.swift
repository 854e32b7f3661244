import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests results that cannot be written: the exit code is never 0, and the process never traps.
@Suite(.timeLimit(.minutes(5)))
struct OutputTests {
  /// Every command that prints a result.
  ///
  /// Earlier commands prepare the data of later commands.
  ///
  /// RUN and WEEK differ each time, because a run can be cancelled only once, and a week can be
  /// closed only once.
  private static let commands = [
    ["migrate"], ["board", "--all", "--json"], ["board", "--all"], ["jobs"], ["jobs", "--json"],
    ["check"], ["schedule"], ["schedule", "next"], ["week"], ["notifications"], ["verify"],
    ["groups"], ["group", "g"], ["analytics"], ["explain-rank", "u1"],
    ["explain-rank", "u1", "--json"],
    ["runs"], ["runs", "history"], ["run", "retention"], ["run", "retention", "--dry-run"],
    ["enqueue", "retention", "--key", "scheduled"], ["jobs", "pause", "retention"],
    ["jobs", "resume", "retention"], ["db", "down"],
    ["runs", "show", "RUN"], ["runs", "retry", "RUN"], ["runs", "cancel", "RUN"],
    ["runs", "discard", "--all"],
    ["week", "close", "WEEK"], ["week", "reopen", "g", "WEEK", "--reason", "a test"],
    ["schedule", "pause", "retention"], ["schedule", "resume", "retention"],
    ["schedule", "backfill", "retention", "--from", "2024-05-20", "--to", "2024-05-21"],
    ["audit"], ["audit", "verify"], ["reports"], ["roles", "create", "--plan"],
    ["init", "shop", "--dry-run"], ["init", "shopRUN"],
    ["--help"], ["--version"], ["board", "--help"], ["--generate-completion-script", "bash"],
  ]

  private static let fullDisk = (
    bash: #"exec "$0" "$@" > /dev/full"#, error: "No space left on device"
  )
  /// The first opened descriptor would become stdout.
  ///
  /// Here, that is the connection to the server.
  private static let closed = (bash: #"exec "$0" "$@" >&-"#, error: "Bad file descriptor")
  /// The reader has exited before the first write.
  private static let unread = #"exec 3> >(:); wait $!; exec "$0" "$@" >&3"#

  @Test(.sampled()) func `a full disk, a closed stdout and a closed pipe`() async throws {
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      try await schema.gymrats.succeed("worker", "--until-idle")
      let weeks = try await seed(schema)
      var gymrats = schema.gymrats
      gymrats.folder = folder.path
      for (place, command) in Self.commands.enumerated() {
        let times = weeks.enumerated().map { number, week in
          command.map { $0.replacing("RUN", with: "90\(number + 1)").replacing("WEEK", with: week) }
        }
        try await expectUnwritable(gymrats, Self.fullDisk, times[0])
        // All commands report the error in one place, so some commands are sufficient.
        guard TestSize.isFull || place.isMultiple(of: 10) else { continue }
        try await expectUnwritable(gymrats, Self.closed, times[1])
        let unread = try await gymrats.run(bash: Self.unread, times[2])
        #expect(unread.status == 0, "\(command): \(unread.errors)")
        #expect(unread.errors == "")
      }
    }
  }

  /// Creates the dead runs 901 to 903 and boards of three weeks.
  ///
  /// Returns the Mondays, oldest first.
  private func seed(_ schema: TestSchema) async throws -> [String] {
    try await schema.sql(
      """
      insert into dead_run (id, job, key, attempt, error)
      select id, 'retention', 'k' || id, 8, 'an error' from generate_series(901, 903) id
      """)
    return try await schema.sql(
      """
      insert into challenge (id, group_id, week_start, type)
      select challenge_id('g', monday, 'streak'), 'g', monday, 'streak'
      from (select date_trunc('week', now() at time zone 'UTC')::date - 7 * weeks as monday
        from unnest(array[4, 3, 2]) weeks) m
      returning week_start::text
      """)
  }

  /// Expects that a command names the output that it cannot write to.
  private func expectUnwritable(
    _ program: BatonProgram, _ stdout: (bash: String, error: String), _ command: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    expectComplaint(
      try await program.run(bash: stdout.bash, command), status: 74, what: stdout.error,
      place: "stdout", next: "Free disk space", sourceLocation: sourceLocation)
  }

  @Test(.sampled())
  func `an answer by the exit code is none where its words cannot be written`() async throws {
    let folder = try TemporaryFolder()
    try await TestSchema.with { schema in
      try await People(schema).join("u1", group: "g")
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.sql("alter table groups disable trigger user")
      try await schema.sql("update groups set member_count = 7")
      try await schema.sql("alter table groups enable trigger user")
      var gymrats = schema.gymrats
      gymrats.folder = folder.path
      let whosthere = BatonProgram(
        executable: try BatonProgram.path(of: "whosthere"),
        environment: ["DATABASE_URL": schema.configuration.address])
      try await whosthere.succeed("migrate")
      for (program, command) in [
        (gymrats, ["status"]), (gymrats, ["doctor"]), (gymrats, ["verify"]),
        (gymrats, ["db", "status"]),
        (whosthere, ["status"]),
      ] {
        let written = try await program.start(command).wait()
        #expect(written.status != 0 && written.output != "" && written.errors == "")
        try await expectUnwritable(program, Self.fullDisk, command)
        try await expectUnwritable(program, Self.closed, command)
        let unread = try await program.run(bash: Self.unread, command)
        #expect(unread.status == written.status && unread.errors == "", "\(command)")
      }
    }
  }

  @Test(.sampled())
  func `an error that was told keeps its status, and those of single runs do not`()
    async throws
  {
    try await TestSchema.with { schema in
      let gymrats = schema.gymrats
      try await gymrats.succeed("migrate")
      try await gymrats.succeed("jobs", "pause", "retention")
      // The command prints a line first.
      expectComplaint(
        try await gymrats.run(bash: Self.fullDisk.bash, ["run", "retention", "--json"]), status: 75,
        what: "paused since", place: "retention", next: "jobs resume")
      let ended = try await gymrats.run(
        bash: Self.fullDisk.bash, ["runs", "cancel", "4711", "--json"])
      #expect(ended.status == 74, "\(ended.errors)")
      for part in ["There is no run 4711.", "No space left on device"] {
        #expect(ended.errors.contains(part), "\(ended.errors)")
      }
    }
  }

  @Test func `a command that fails keeps its own status where nothing can be written`() async throws
  {
    let gymrats = BatonProgram(environment: ["DATABASE_URL": "postgresql://%zz"])
    for to in [">/dev/full", "2>/dev/full", "2>&-", ">&- 2>&- <&-", "2> >(:)"] {
      let ended = try await gymrats.run(bash: #"exec "$0" "$@" "# + to, ["jobs"])
      #expect(ended.status == 64, "\(to)")
    }
  }
}
