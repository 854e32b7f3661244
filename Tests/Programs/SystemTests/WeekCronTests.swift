import Foundation
import TestSupport
import Testing

/// Tests the jobs of the weeks as called by cron or a person, by the real clock and without a
/// worker: one line, one exit code, and no double effect.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WeekCronTests {
  private static let jobs = ["close-week", "retention", "notify-rank-changes", "open-week"]

  private func withWeeks(
    groups: Int = 3, members: Int = 3, weeks: [Int] = [1, 2],
    _ body: (TestSchema, DueWeeks) async throws -> Void
  ) async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      try await due.make(groups: groups, members: members, weeks: weeks)
      try await body(schema, due)
    }
  }

  // MARK: Done, and nothing to do

  @Test(.sampled()) func `a close says what it did, and the next one that there is nothing to do`()
    async throws
  {
    try await withWeeks { schema, due in
      #expect(
        try await schema.gymrats.succeed("run", "close-week")
          == "close-week: 6 weeks closed, 9 members told, 0 rank changes told, "
          + "0 weeks without an entry, 3 weeks too late to tell\n")
      // No board was published before, so the closing ranked the boards itself.
      try await due.expectClosedOnce()
      let before = try await schema.sql("select xmin, * from challenge")
      #expect(
        try await schema.gymrats.succeed("run", "close-week") == "close-week: nothing to do\n")
      #expect(
        try await schema.gymrats.succeed("run", "close-week", "--json") == #"""
          {"job":"close-week","result":"nothing","runs":1,"report":{"weeks closed":0,"members told":0,"rank changes told":0,"weeks without an entry":0,"weeks too late to tell":0}}

          """#)
      #expect(try await schema.sql("select xmin, * from challenge") == before)
      try await due.expectClosedOnce()
    }
  }

  @Test(.sampled())
  func `changed ranks are told when they are asked for, each change once`() async throws {
    try await TestSchema.with { schema in
      let people = People(schema)
      for user in ["ann", "bob"] { try await people.join(user, group: "g") }
      func notify() async throws -> String {
        try await eventually("boards that are ranked") {
          try await schema.gymrats.succeed("run", "recompute-ranks")
          return try await schema.sql(
            "select count(*) from entry full join standing using (challenge_id, user_id, value) where joined_at is null or rank is null"
          ) == ["0"]
        }
        return try await schema.gymrats.succeed("run", "notify-rank-changes")
      }
      _ = try await people.record("ann", "1")
      _ = try await people.record("bob", "1")
      #expect(try await notify() == "notify-rank-changes: nothing to do\n")
      _ = try await people.record("bob", "2")
      #expect(
        try await notify().hasPrefix("notify-rank-changes: 1 notification written, 0 changed"))
      #expect(try await notify() == "notify-rank-changes: nothing to do\n")
      _ = try await people.record("ann", "2")
      _ = try await people.record("ann", "3")
      #expect(try await notify().contains(" 1 taken back"))
      let told = try await schema.sql(
        "select user_id, content ->> 'from', content ->> 'to' from notification")
      #expect(told == ["bob,1,2"], "one notification is there for the one who is not back")
      #expect(try await schema.sql("select count(told_rank) from standing") == ["4"])
    }
  }

  @Test(.sampled())
  func `the coming week is made once, and retention removes what is old, once`()
    async throws
  {
    try await withWeeks(weeks: [1, 2, 3, 12, 14, 15]) { schema, due in
      #expect(try await schema.gymrats.succeed("run", "open-week") == "open-week: 6 boards made\n")
      #expect(try await schema.gymrats.succeed("run", "open-week") == "open-week: nothing to do\n")
      let coming = try await due.monday(-1)
      #expect(
        try await schema.sql("select distinct week_start from challenge where starts_at > now()")
          == [coming])
      // Weeks 14 and 15 ended more than 90 days ago. They are closed before they may be deleted.
      #expect(
        try await schema.gymrats.succeed("run", "retention") == "retention: nothing to do\n")
      try await schema.gymrats.succeed("run", "close-week")
      try await Self.addOldRows(schema)
      let said = try await schema.gymrats.succeed("run", "retention")
      #expect(
        said.hasPrefix(
          "retention: 1 partition emptied, 0 partitions in use, 12 boards, 0 ignored workouts folded, "
            + "6 weeks forgotten, 0 reopenings, 0 reported streaks, 0 invites, "))
      #expect(try await schema.gymrats.succeed("run", "retention") == "retention: nothing to do\n")
      try await Self.expectNothingOld(schema)
      try await due.expectClosedOnce()
    }
  }

  // MARK: A dry run

  @Test(.sampled()) func `a dry run shows what would change and changes nothing`()
    async throws
  {
    try await withWeeks { schema, due in
      try await schema.gymrats.succeed("migrate")
      let before = try await due.digests()
      let shown = try await schema.gymrats.succeed("run", "close-week", "--dry-run")
      #expect(shown.hasPrefix("close-week: 1 run; 6 weeks closed, 9 members told, "))
      #expect(shown.contains("nothing was changed. The run would write:\n"))
      for change in [
        "challenge: 0 inserted, 12 updated, 0 deleted", "standing: 36 inserted, 36 updated",
        "closed_week: 6 inserted",
      ] { #expect(shown.contains("  \(change)"), "\(shown)") }
      let week = try await due.monday(2)
      let json = try await schema.gymrats.succeed("week", "close", week, "--dry-run", "--json")
      #expect(json.hasPrefix(#"{"job":"close-week","result":"dry-run","runs":1,"report":{"weeks"#))
      #expect(json.contains(#"{"table":"challenge","inserted":0,"updated":6,"deleted":0}"#))
      #expect(
        try await schema.gymrats.succeed("run", "open-week", "--dry-run").contains("6 boards made"))
      try await schema.gymrats.succeed("run", "notify-rank-changes", "--dry-run")
      #expect(try await due.digests() == before)
    }
  }

  // MARK: Already running

  @Test(.sampled())
  func `what runs elsewhere is waited for, then said to be running, with 75`()
    async throws
  {
    try await withWeeks { schema, due in
      try await schema.sql(
        "update board_version set is_told = false")
      try await schema.holding("lock setting, groups, board_version") { lock in
        let first = try Self.jobs.map { try schema.gymrats.start("run", $0) }
        defer { for process in first { process.signal(SIGKILL) } }
        try await lock.waitUntilItBlocks(4)
        let second = try Self.jobs.map { try schema.gymrats.start("run", $0, "--json") }
        for (job, process) in zip(Self.jobs, second) {
          let ended = try await process.wait()
          #expect(ended.status == 75, "\(ended.errors)")
          #expect(
            ended.output == #"{"job":"\#(job)","result":"running","runs":0,"report":{}}"# + "\n")
          #expect(
            ended.errors.hasPrefix("error: The run is already running.\nwhere: \(job), key sched"))
          #expect(ended.duration > .seconds(10))
        }
        try await lock.release()
        for process in first {
          let ended = try await process.wait()
          #expect(ended.status == 0, "\(ended.errors)")
        }
      }
      try await due.expectClosedOnce()
    }
  }

  @Test(.sampled())
  func `whoever waits for a stopped process can be stopped too, and goes on after it`()
    async throws
  {
    try await withWeeks { schema, due in
      try await schema.holding("lock table closed_week in exclusive mode") { lock in
        let first = try schema.gymrats.start("run", "close-week")
        defer { first.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        first.signal(SIGSTOP)
        try await lock.release()
        let second = try schema.gymrats.start("run", "close-week", "--json")
        try await eventually("a second one that waits") {
          try await schema.sql("select count(*) from worker") == ["2"]
        }
        second.signal(SIGTERM)
        let ended = try await second.wait()
        #expect(ended.status == 75, "\(ended.errors)")
        #expect(ended.output.contains(#""result":"stopped""#))
        let third = try schema.gymrats.start("run", "close-week")
        first.signal(SIGCONT)
        #expect(try await first.wait().output.contains("6 weeks closed, 9 members told"))
        #expect(try await third.wait().output == "close-week: nothing to do\n")
      }
      try await due.expectClosedOnce()
    }
  }

  // MARK: Failed

  @Test(
    .sampled(),
    arguments: [
      ("close-week", "insert", "closed_week"), ("retention", "delete", "challenge"),
    ])
  func `what fails is rolled back, said with 1, and done by the next one`(
    job: String, when: String, table: String
  ) async throws {
    try await withWeeks(weeks: [14, 15]) { schema, due in
      if job == "retention" { try await schema.gymrats.succeed("run", "close-week") }
      try await due.breakDown("after \(when)", table)
      let before = try await schema.sql("select xmin, * from challenge")
      let ended = try await schema.gymrats.run("run", job, "--json")
      #expect(ended.status == 1, "\(ended.errors)")
      #expect(
        ended.output == #"{"job":"\#(job)","result":"retrying","runs":0,"report":{}}"# + "\n")
      #expect(ended.errors.contains("error: The run failed and was rolled back: broken by the"))
      #expect(ended.errors.contains("\nwhere: \(job)\nnext:  The run is retried"))
      #expect(try await schema.sql("select xmin, * from challenge") == before)
      #expect(
        try await schema.sql("select state, attempt from run where job = '\(job)'") == ["ready,1"])
      try await due.mend(table)
      let done = try await schema.gymrats.succeed("run", job)
      #expect(done.contains(job == "retention" ? "12 boards" : "6 weeks closed"))
      #expect(try await schema.sql("select count(*) from run where job = '\(job)'") == ["0"])
    }
  }

  // MARK: Stopped

  @Test(.sampled(), arguments: [SIGTERM, SIGINT])
  func `a close that is stopped releases its run, and a worker or the next one goes on`(
    signal: Int32
  ) async throws {
    try await withWeeks(groups: 60) { schema, due in
      // The chunks have 50 groups and, because each chunk is slow, then 25.
      try await schema.slowDown("after insert", "closed_week", seconds: 0.4 * Double(patience))
      let process = try schema.gymrats.start("run", "close-week", "--json")
      defer { process.signal(SIGKILL) }
      try await eventually("a chunk") { try await closed(schema) > 0 }
      process.signal(signal)
      let ended = try await process.wait()
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(
        ended.output == #"{"job":"close-week","result":"stopped","runs":0,"report":{}}"# + "\n")
      #expect(ended.errors.contains("error: The run was stopped and released."))
      #expect(ended.errors.contains("already") == false)
      let sofar = try await closed(schema)
      #expect(sofar > 0 && sofar < 120)
      #expect(try await schema.sql("select state, attempt from run") == ["ready,0"])
      try await due.mend("closed_week")
      if signal == SIGTERM {
        let rest = try await schema.gymrats.succeed("run", "close-week")
        #expect(rest.hasPrefix("close-week: \(120 - sofar) weeks closed"))
      } else {
        try await schema.gymrats.succeed("worker", "--until-idle")
      }
      try await due.expectClosedOnce()
    }
  }

  @Test(.sampled())
  func `a purge that is stopped in its statement removes nothing, the next one all`()
    async throws
  {
    try await withWeeks(weeks: [14, 15]) { schema, due in
      try await schema.gymrats.succeed("run", "close-week")
      try await Self.addOldRows(schema)
      try await schema.slowDown("after delete", "challenge", seconds: 20)
      let process = try schema.gymrats.start("run", "retention")
      defer { process.signal(SIGKILL) }
      try await eventually("a statement that takes long") {
        try await schema.sql(
          """
          select count(*) from pg_stat_activity
          where datname = current_database() and wait_event = 'PgSleep'
            and query like '%board_age%' and application_name = 'gymrats run'
          """
        ) == ["1"]
      }
      process.signal(SIGTERM)
      let ended = try await process.wait(within: .seconds(15))
      #expect(ended.status == 75, "\(ended.errors)")
      #expect(try await schema.sql("select count(*) from challenge") == ["12"])
      try await due.mend("challenge")
      #expect(try await schema.gymrats.succeed("run", "retention").contains("12 boards"))
      try await Self.expectNothingOld(schema)
    }
  }

  private func closed(_ schema: TestSchema) async throws -> Int {
    Int(try await schema.sql("select count(*) from closed_week").first ?? "") ?? -1
  }

  // MARK: What is old

  /// Adds two partitions and a dead run that are older than any retention period.
  static func addOldRows(_ schema: TestSchema) async throws {
    try await schema.sql(
      """
      insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
      select day_partition(at), at, 'g1-1', 'g1', 'week_ended', '{}', at
      from (select now() - interval '20 days' as at) m, generate_series(1, 10)
      """)
  }

  /// Expects that no expired data remains, and no part of a board.
  static func expectNothingOld(
    _ schema: TestSchema, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let left = try await schema.sql(
      """
      select (select count(*) from challenge where ends_at < now() - interval '90 days'),
        (select count(*) from notification where created_at < now() - interval '16 days'),
        (select count(*) from standing left join challenge c on c.id = challenge_id
          where c.id is null),
        (select count(*) from entry left join challenge c on c.id = challenge_id
          where c.id is null),
        (select count(*) from board_version left join challenge c on c.id = challenge_id
          where c.id is null),
        (select count(*) from closed_week w left join challenge c using (group_id, week_start)
          where c.id is null)
      """)
    #expect(left == ["0,0,0,0,0,0"], sourceLocation: sourceLocation)
  }
}
