import Foundation
import TestSupport
import Testing

/// Tests `gymrats schedule` and `gymrats runs history` with a schedule that the test inserts.
///
/// The commands must display and fire the stored values.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ScheduleCommandTests {
  private func withSchedule(_ body: (TestSchema, BatonProgram) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql(
        """
        insert into schedule (job, expression, time_zone, missed, next_at, in_development)
        values ('resync-boards', '30 2 * * *', 'America/New_York', 'once', '2999-01-01Z', false)
        on conflict (job, name) do nothing
        """)
      try await body(schema, schema.gymrats)
    }
  }

  @Test(.sampled()) func `a schedule is listed, paused and resumed`() async throws {
    try await withSchedule { schema, gymrats in
      let listed = try await gymrats.succeed("schedule")
      let row = try #require(listed.split(separator: "\n").first { $0.hasPrefix("resync-boards ") })
      #expect(
        row.contains(/\ 30 2 \* \* \* +America\/New_York +once +2999-01-01T00:00:00Z .* active$/),
        "\(row)")
      #expect(listed.hasPrefix("SCHEDULE "))
      #expect(
        try await gymrats.succeed("schedule", "list", "--job", "nobody")
          == "no schedules of nobody\n")
      #expect(
        try await gymrats.succeed("schedule", "pause", "resync-boards")
          == "the schedule of resync-boards is paused\n")
      #expect(try await gymrats.succeed("schedule", "list", "--json").contains("\"paused_at\":\"2"))
      #expect(try await gymrats.succeed("schedule").contains(/resync-boards .* paused\n/))
      try await gymrats.succeed("schedule", "resume", "resync-boards")
      #expect(try await !gymrats.succeed("schedule", "list", "--json").contains("paused_at"))
      expectComplaint(
        try await gymrats.run("schedule", "pause", "nobody"), status: 64, what: "'nobody'",
        place: "SCHEDULE", next: "gymrats schedule")
    }
  }

  @Test(.sampled()) func `a schedule is made, replaced, listed, backfilled and removed`()
    async throws
  {
    try await withSchedule { schema, gymrats in
      let id = "purge-runs/tenant-7"
      let base = ["schedule", "add", id, "--key", "scheduled"]
      func add(_ more: String...) async throws -> TestProcess.Ended {
        try await gymrats.start(base + more).wait()
      }
      let made = try await add("--cron", "0 6 1 * *", "--time-zone", "Asia/Tokyo")
      #expect(made.output == "\(id): scheduled\n", "\(made.errors)")
      let row = try await gymrats.succeed("schedule", "list", "--job", "purge-runs")
        .split(separator: "\n").first { $0.hasPrefix(id) }
      // No worker is needed for the first occurrence.
      #expect(
        row?.contains(/\ 0 6 1 \* \* +Asia\/Tokyo +once +20\S+T21:00:00Z .* call +active$/) == true)
      #expect(
        try await add("--every", "1h", "--missed", "all", "--until", "2999-01-01").status == 0)
      let line = try await gymrats.succeed("schedule", "list", "--job", "purge-runs", "--json")
      #expect(
        line.contains(#""source":"sql""#) && line.contains(#""until":"2999-01-01T00:00:00Z""#))
      #expect(
        try await gymrats.succeed(
          "schedule", "backfill", id, "--from", "2024-01-01", "--to", "2024-01-01T02:00:00Z"
        ).hasSuffix("\(id): 2 occurrences fired\n"))
      let events = "select key from event where topic = 'enqueue/purge-runs'"
      #expect(try await schema.sql(events) == ["scheduled", "scheduled"])
      for (arguments, what, next) in [
        (["--cron", "0 25 * * *"], "hour: 25 is not in 0-23", "Correct the expression"),
        (["--cron", "@daily", "--time-zone", "Mars/Olympus"], "Mars/Olympus", "Europe/Berlin"),
        (["--every", "1h", "--payload", "[]"], "JSON object", "Each run gets the object"),
        (["--every", "1h", "--payload", "{"], "not JSON", "Give a JSON object"),
      ] {
        expectComplaint(
          try await gymrats.start(base + arguments).wait(), status: 64, what: what, place: "",
          next: next)
      }
      #expect(try await add().status == 64)
      #expect(try await gymrats.succeed("schedule", "remove", id) == "\(id): removed\n")
      expectComplaint(
        try await gymrats.run("schedule", "remove", id), status: 64, what: "no schedule 'tenant-7'",
        place: "SCHEDULE", next: "gymrats schedule")
      expectComplaint(
        try await gymrats.run("schedule", "add", "nobody/a", "--every", "1h"), status: 64,
        what: "no job 'nobody'", place: "SCHEDULE", next: "gymrats jobs")
      expectComplaint(
        try await gymrats.run("schedule", "remove", "resync-boards"), status: 64,
        what: "A program declares", place: "schedule", next: "new release")
    }
  }

  @Test(.sampled())
  func `a schedule without an occurrence up to its end is refused, and changes nothing`()
    async throws
  {
    try await withSchedule { schema, gymrats in
      let base = ["schedule", "add", "purge-runs/tenant-7", "--key", "scheduled"]
      // The cron expression fires once a year, next in about 325 days.
      let past = Calendar(identifier: .gregorian).dateComponents(
        [.month, .day], from: Date(timeIntervalSinceNow: -40 * 86_400))
      let cron = "0 0 \(past.day ?? 1) \(past.month ?? 1) *"
      let until = Date(timeIntervalSinceNow: 86_400).formatted(.iso8601)
      let stored = """
        select xmin::text as version, expression, next_at, until from schedule
        where name = 'tenant-7'
        """
      func refuse() async throws {
        expectComplaint(
          try await gymrats.start(base + ["--cron", cron, "--until", until]).wait(), status: 64,
          what: "The schedule purge-runs/tenant-7 has no occurrence up to its end.",
          place: "--until", next: "Nothing was changed. Give a later --until")
      }
      try await refuse()
      #expect(try await schema.sql(stored) == [])
      try await gymrats.succeed(base + ["--every", "1h"])
      let before = try await schema.sql(stored)
      try await refuse()
      #expect(try await schema.sql(stored) == before && before.count == 1)
      #expect(
        try await schema.sql("select count(*) from audit where action = 'schedule add'") == ["1"])
    }
  }

  @Test(.sampled())
  func `several pages of schedules are listed once each, under one heading`() async throws {
    try await withSchedule { schema, gymrats in
      // The first list fills two pages, and the second list needs a third page.
      for count in [2_000, 2_001] {
        try await schema.sql(
          """
          insert into schedule (job, name, expression, time_zone, missed, next_at, in_development)
          select 'resync-boards', 'tenant-' || n, '30 2 * * *', 'UTC', 'once', '2999-01-01Z', false
          from generate_series(2, \(count)) n
          on conflict (job, name) do nothing
          """)
        let list = ["schedule", "list", "--job", "resync-boards"]
        let lines = try await gymrats.succeed(list + ["--json"]).split(separator: "\n")
        #expect(lines.count == count && Set(lines).count == count)
        let text = try await gymrats.succeed(list).split(separator: "\n")
        #expect(text.count == count + 1 && text.count { $0.hasPrefix("SCHEDULE ") } == 1)
        let next = try await gymrats.succeed("schedule", "next").split(separator: "\n")
          .filter { $0.hasPrefix("resync-boards") }
        #expect(next.count == count && Set(next).count == count)
      }
    }
  }

  @Test(.sampled()) func `the next occurrences are printed, one a line`() async throws {
    try await withSchedule { schema, gymrats in
      let lines = try await gymrats.succeed("schedule", "next", "resync-boards", "--count", "3")
        .split(separator: "\n")
      #expect(lines.count == 3 && lines.allSatisfy { $0.hasSuffix(":30:00Z") })
      #expect(lines.sorted() == lines)
      #expect(
        try await gymrats.succeed("schedule", "next").contains(
          "resync-boards  2999-01-01T00:00:00Z"))
      try await gymrats.start("schedule", "next", "--count", "0").end(with: 64)
    }
  }

  @Test(.sampled()) func `a range is shown, fired once, and then not again`() async throws {
    try await withSchedule { schema, gymrats in
      let range = ["--from", "2024-03-09", "--to", "2024-03-12T00:00:00Z"]
      func backfill(_ more: String...) async throws -> TestProcess.Ended {
        try await gymrats.start(["schedule", "backfill", "resync-boards"] + range + more).wait()
      }
      #expect(
        try await backfill("--dry-run").output == """
          2024-03-09T07:30:00Z
          2024-03-10T07:00:00Z
          2024-03-11T06:30:00Z
          resync-boards: 3 occurrences would be fired

          """)
      #expect(try await schema.sql("select count(*) from occurrence") == ["0"])
      #expect(
        try await backfill("--json").output.contains(#""result":"fired","occurrences":["2024"#))
      #expect(try await backfill().output == "resync-boards: 0 occurrences fired\n")
      let keys = try await schema.sql(
        "select key, payload ->> 'scheduled_at' from event where topic like 'enqueue/%' order by 1")
      #expect(
        keys.first == "2024-03-09T07:30:00Z,2024-03-09T07:30:00Z" && keys.count == 3, "\(keys)")
    }
  }

  @Test(.sampled()) func `a range that makes no sense fires nothing`() async throws {
    try await withSchedule { schema, gymrats in
      for (from, to, status, what) in [
        ("yesterday", "2024-01-01", Int32(64), "not an instant"),
        ("2024-01-01", "2024-01-01", 64, "empty"), ("1990-01-01", "2024-01-01", 64, "10000"),
      ] {
        expectComplaint(
          try await gymrats.run(
            "schedule", "backfill", "resync-boards", "--from", from, "--to", to),
          status: status, what: what, place: "--", next: "")
      }
      #expect(try await schema.sql("select count(*) from occurrence") == ["0"])
    }
  }

  @Test(.sampled()) func `what has ended is shown with its report`() async throws {
    try await withSchedule { schema, gymrats in
      try await schema.sql(
        """
        insert into run_history (partition, created_at, id, job, key, attempt, outcome, started_at,
          duration_ms, report)
        select day_partition(at), at, 7, 'close', 'k', 1, 'done', at - interval '1 second', 1000,
          '{"told": 2}'
        from (select clock_timestamp() as at) moment
        """)
      let text = try await gymrats.succeed("runs", "history", "close")
      #expect(text.hasPrefix("7  done  close  k  ") && text.contains("1000 ms  2 told"))
      let line = try await gymrats.succeed("runs", "history", "--json")
      #expect(line.contains("\"duration_ms\":1000") && line.contains("\"report\":{\"told\":2}"))
      #expect(try await gymrats.succeed("runs", "history", "resync-boards").hasPrefix("no runs"))
      expectComplaint(
        try await gymrats.run("runs", "history", "nobody"), status: 64, what: "nobody",
        place: "JOB", next: "gymrats jobs")
    }
  }

  @Test(.sampled())
  func `a schedule that the binary does not define is drift, and migrate mends it`()
    async throws
  {
    try await withSchedule { schema, gymrats in
      expectComplaint(
        try await gymrats.run("check"), status: 78, what: "the schedule of job resync-boards",
        place: "table", next: "gymrats migrate")
      try await gymrats.succeed("migrate")
      #expect(try await gymrats.succeed("check").contains("agree"))
    }
  }

  @Test(.sampled()) func `what was asked for and what it came to is one line of JSON`() async throws
  {
    try await withSchedule { schema, gymrats in
      #expect(
        try await gymrats.succeed("run", "recompute-ranks", "--json")
          == #"{"job":"recompute-ranks","result":"nothing","runs":0,"report":{}}"# + "\n")
      // The run is at its last attempt, and its key is not a board.
      try await schema.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, attempt)
        values ('recompute-ranks', 'nonsense', 'ready', now(), now(), now(), 99999)
        """)
      try await eventually("the run, its debounce over") {
        let ended = try await gymrats.run("run", "recompute-ranks", "--json")
        guard ended.status != 0 else { return false }
        #expect(ended.status == 1 && ended.errors.contains("The run is dead"))
        #expect(
          ended.output == #"{"job":"recompute-ranks","result":"dead","runs":0,"report":{}}"# + "\n")
        return true
      }
    }
  }
}
