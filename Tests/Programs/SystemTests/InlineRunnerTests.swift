import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `run`, `enqueue`, `runs`, `jobs pause|resume` and `check`, with which operators operate
/// the queue.
@Suite(.serialized, .timeLimit(.minutes(5))) struct InlineRunnerTests {
  /// Calls the body with a group and one workout of `u1` that is not ranked yet, and passes the id
  /// of the check-ins board.
  func withBoard(_ body: (TestSchema, String) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      let boards = try await schema.sql("select id from challenge where type = 'check-ins'")
      try await body(schema, try #require(boards.first))
    }
  }

  @Test(.sampled()) func `a key is worked now, debounce aside`() async throws {
    try await withBoard { schema, board in
      let said = try await schema.gymrats.succeed("run", "recompute-ranks", "--key", board)
      #expect(said == "recompute-ranks: 1 run done\n")
      #expect(try await People(schema).published("u1") == 1)
    }
  }

  @Test(.sampled()) func `a key takes its ready run with it, backoff aside`() async throws {
    try await withBoard { schema, board in
      try await schema.gymrats.succeed("run", "recompute-ranks")
      try await schema.sql("update run set due = now() + interval '1 hour', attempt = 3")
      try await schema.gymrats.succeed("run", "recompute-ranks", "--key", board)
      #expect(try await schema.sql("select key from run where key = '\(board)'").isEmpty)
      #expect(try await People(schema).published("u1") == 1)
    }
  }

  @Test(.sampled()) func `without a key it works what is due and says when there is nothing`()
    async throws
  {
    try await withBoard { schema, _ in
      try await eventually("both boards") {
        try await schema.gymrats.succeed("run", "recompute-ranks")
        return try await People(schema).published("u1") == 1
      }
      let nothing = try await schema.gymrats.succeed("run", "recompute-ranks", "--json")
      #expect(
        nothing == "{\"job\":\"recompute-ranks\",\"result\":\"nothing\",\"runs\":0,\"report\":{}}\n"
      )
    }
  }

  @Test(.sampled()) func `a dry run shows the board before and after and changes nothing`()
    async throws
  {
    try await withBoard { schema, board in
      let before = try await schema.sql("select xmin::text, * from run")
      let shown = try await schema.gymrats.succeed(
        "run", "recompute-ranks", "--key", board, "--dry-run")
      #expect(shown.contains("standing: 1 inserted, 0 updated, 0 deleted"))
      #expect(shown.contains("before\nnothing\n"))
      #expect(shown.contains("1  u1"))
      #expect(try await schema.sql("select count(*) from standing") == ["0"])
      #expect(try await schema.sql("select sum(rank_version) from board_version") == ["0"])
      #expect(try await schema.sql("select xmin::text, * from run") == before)
    }
  }

  @Test(.sampled()) func `an SQL error of the job ends a dry run as it ends the run`() async throws
  {
    try await withBoard { schema, board in
      try await schema.sql("alter table standing add constraint broken check (false) not valid")
      for more in [["--dry-run"], []] {
        let run = try schema.gymrats.start(["run", "recompute-ranks", "--key", board] + more)
        #expect(try await run.end(with: 1).errors.contains("error: The run failed and was rolled"))
      }
    }
  }

  @Test(.sampled())
  func `a key that runs elsewhere is waited for, and then said to be running`() async throws {
    try await withBoard { schema, board in
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.holding("select from board_version for update") { lock in
        let first = try schema.gymrats.start("run", "recompute-ranks", "--key", board)
        defer { first.signal(SIGKILL) }
        try await lock.waitUntilItBlocks()
        let second = try await schema.gymrats.run("run", "recompute-ranks", "--key", board)
        expectComplaint(
          second, status: 75, what: "already running", place: board, next: "Try again")
        #expect(second.duration > .seconds(10))
        try await lock.release()
        try await first.end(with: 0)
      }
    }
  }

  @Test(.sampled()) func `enqueue wakes the job through its debounce`() async throws {
    try await withBoard { schema, board in
      try await schema.gymrats.succeed("worker", "--until-idle")
      try await schema.sql("delete from standing")
      try await schema.gymrats.succeed("enqueue", "recompute-ranks", "--key", board)
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await People(schema).published("u1") == 1)
    }
  }

  @Test(.sampled()) func `a dead run whose key waits already goes on in the run that waits`()
    async throws
  {
    try await withBoard { schema, board in
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        values (901, 'recompute-ranks', '\(board)', 8, 'an error')
        """)
      try await schema.sql(
        """
        insert into run (id, job, key, state, due, first_event_at, last_event_at)
        values (902, 'recompute-ranks', '\(board)', 'ready', now() + interval '1 h', now(), now())
        """)
      #expect(
        try await schema.gymrats.succeed("runs", "retry", "901")
          == "run 901 was merged into run 902, which waited with the same key\n")
      let shown = try await schema.gymrats.succeed("runs", "show", "901", "--json")
      #expect(shown.hasPrefix(#"{"id": 902, "#), "\(shown)")
    }
  }

  @Test(.sampled()) func `a dead run is listed, shown, retried and cancelled`() async throws {
    try await withBoard { schema, _ in
      let gymrats = schema.gymrats
      try await schema.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        values ('recompute-ranks', 'nonsense', 'ready', now(), now(), now())
        """)
      // A run that cannot be decoded is retried for days. This is its last attempt, here and below.
      let lastAttempt = "update run set attempt = 99999"
      try await schema.sql(lastAttempt)
      try await gymrats.start("worker", "--until-idle").end(with: 1)
      let listed = try await gymrats.succeed("runs", "list", "--state", "dead", "--json")
      #expect(
        listed.contains("\"key\":\"nonsense\"") && listed.contains("not the id of a challenge"))
      let id = try #require(try await schema.sql("select id from dead_run").first)
      let shown = try await gymrats.succeed("runs", "show", id)
      for part in ["\"state\": \"dead\"", "\"made_at\": \"20", "\"attempts\": [", "\"attempt\": 1"]
      {
        #expect(shown.contains(part), "\(shown)")
      }
      #expect(try await gymrats.succeed("runs", "retry", id) == "run \(id) is ready again\n")
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
      #expect(try await schema.sql("select id from run where key = 'nonsense'") == [id])
      try await schema.sql(lastAttempt)
      let worker = try await gymrats.run("worker", "--until-idle")
      #expect(worker.status == 1, "\(worker.errors)")
      // A reader of the log can find the run.
      let dead = try #require(
        worker.errors.split(separator: "\n").first { $0.contains(" error ") })
      for part in [
        "attempt=100000 ", "job=recompute-ranks key=nonsense run=\(id) worker=",
        "not done, dead: ",
      ] { #expect(dead.contains(part), "\(dead)") }
      #expect(try await schema.sql("select id from dead_run") == [id])
      #expect(
        try await gymrats.succeed("runs", "retry", "--all") == "1 dead run became 1 ready run\n")
      try await schema.sql(lastAttempt)
      try await gymrats.start("worker", "--until-idle").end(with: 1)
      try await gymrats.succeed("runs", "cancel", id)
      try await gymrats.start("worker", "--until-idle").end(with: 0)
    }
  }

  @Test(.sampled()) func `dead runs are discarded by id, by job, or all, and never in part`()
    async throws
  {
    try await withBoard { schema, _ in
      let gymrats = schema.gymrats
      try await gymrats.succeed("worker", "--until-idle")
      try await schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        select 900 + n, (array['retention', 'open-week'])[n % 2 + 1], 'k' || n, 8, 'an error'
        from generate_series(1, 6) n
        """)
      let ids = "select coalesce(string_agg(id::text, '|' order by id), 'none') from dead_run"
      expectComplaint(
        try await gymrats.run("runs", "discard", "901", "4711"), status: 66,
        what: "no dead run 4711",
        place: "run 4711", next: "Nothing was discarded")
      expectComplaint(
        try await gymrats.run("runs", "discard", "--all", "--job", "no-such-job"), status: 64,
        what: "no-such-job", place: "--job", next: "gymrats jobs")
      for command in [["jobs", "grants"], ["limits", "list"]] {
        expectComplaint(
          try await gymrats.start(command + ["no-such-job"]).wait(), status: 64,
          what: "no-such-job", place: "JOB", next: "gymrats jobs")
      }
      let shown = try await gymrats.succeed("runs", "discard", "902", "901", "--dry-run")
      #expect(shown.hasPrefix("901  dead  open-week  k1  attempt 8  20"))
      #expect(shown.hasSuffix("an error\n2 dead runs would be discarded\n"))
      #expect(try await schema.sql(ids) == ["901|902|903|904|905|906"])

      #expect(try await gymrats.succeed("runs", "discard", "901") == "1 dead run discarded\n")
      let json = try await gymrats.succeed(
        "runs", "discard", "--all", "--job", "retention", "--json")
      #expect(
        json.split(separator: "\n").count == 3 && json.contains("\"id\":902,\"job\":\"retention\""))
      #expect(try await schema.sql(ids) == ["903|905"])
      #expect(
        try await gymrats.succeed("runs", "discard", "--all", "--dry-run")
          .hasSuffix("2 dead runs would be discarded\n"))
      #expect(try await gymrats.succeed("runs", "discard", "--all") == "2 dead runs discarded\n")
      #expect(try await gymrats.succeed("runs", "discard", "--all", "--json") == "")
      #expect(try await schema.sql(ids) == ["none"])
    }
  }

  @Test(.sampled()) func `a paused job waits for its resume, and says so`() async throws {
    try await withBoard { schema, board in
      #expect(try await !schema.gymrats.succeed("jobs", "--json").contains("paused_since"))
      try await schema.gymrats.succeed("jobs", "pause", "recompute-ranks")
      let jobs = try await schema.gymrats.succeed("jobs", "--json").split(separator: "\n")
      #expect(jobs.filter { $0.contains(#""paused_since":"20"#) }.count == 1)
      #expect(jobs.contains { $0.contains("paused_since") && $0.contains("recompute-ranks") })
      for more in [[], ["--dry-run"]] {
        expectComplaint(
          try await schema.gymrats.start(["run", "recompute-ranks"] + more).wait(), status: 75,
          what: "paused since 20", place: "recompute-ranks", next: "jobs resume recompute-ranks")
      }
      let json = try await schema.gymrats.run("run", "recompute-ranks", "--json")
      #expect(json.output.contains(#""result":"paused""#) && json.status == 75)
      // A run that is named explicitly is processed although its job is paused.
      let other = try await schema.sql("select id from challenge where type = 'streak'")
      try await schema.gymrats.succeed("run", "recompute-ranks", "--key", try #require(other.first))
      let dryRun = try await schema.gymrats.succeed(
        "run", "recompute-ranks", "--key", board, "--dry-run")
      #expect(dryRun.contains("1 run;") || dryRun.contains("1 run; nothing was changed"))
      #expect(
        try await schema.gymrats.succeed("jobs", "show", "recompute-ranks").contains(
          "paused    since"))
      #expect(try await schema.gymrats.succeed("jobs").contains(/recompute-ranks .* paused\n/))
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("due runs") {
        try await schema.sql("select key from run where due < now()").count == 2
      }
      #expect(try await People(schema).published("u1") == 0)
      try await schema.gymrats.succeed("jobs", "resume", "recompute-ranks")
      try await eventually("the rank") { try await People(schema).published("u1") == 1 }
    }
  }

  @Test(.sampled()) func `drift between jobs, triggers and schema is named, and no worker starts`()
    async throws
  {
    try await withBoard { schema, _ in
      #expect(try await schema.gymrats.succeed("check").contains("agree"))
      try await schema.sql("alter table entry disable trigger entry_updated")
      for command in ["check", "worker"] {
        expectComplaint(
          try await schema.gymrats.run(command), status: 78,
          what: "trigger entry_updated on entry is disabled", place: "triggers", next: "enable")
      }
      try await schema.sql("drop trigger entry_updated on entry")
      expectComplaint(
        try await schema.gymrats.run("check"), status: 78,
        what: "trigger entry_updated on entry is missing", place: "triggers", next: "create")
    }
  }

  @Test(.sampled())
  func `tables on another node are said to be there, and no trigger is called missing`()
    async throws
  {
    try await withBoard { schema, _ in
      // The catalogs of Citus, as far as they are read. Citus is detected only by these catalogs.
      for table in [
        "pg_dist_shard as select 'entry'::regclass as logicalrelid, 102008::bigint as shardid",
        "pg_dist_placement as select 102008::bigint as shardid, 2 as groupid",
        "pg_dist_node as select 2 as groupid, '10.0.0.12' as nodename, 5432 as nodeport",
        "pg_dist_local_group as select 0 as groupid",
      ] { try await schema.sql("create table \(table)") }
      // The visible catalogs are sufficient.
      #expect(try await schema.gymrats.succeed("check").contains("agree"))
      try await schema.sql("drop trigger entry_updated on entry")
      for command in ["check", "worker"] {
        let ended = try await schema.gymrats.run(command)
        expectComplaint(
          ended, status: 78, what: "on another node of this database, 10.0.0.12:5432:",
          place: "pg_dist_placement", next: "DATABASE_URL")
        #expect(!ended.errors.contains("entry_updated"))
      }
      try await schema.sql("update job set keeps_history = not keeps_history")
      expectComplaint(
        try await schema.gymrats.run("check"), status: 78, what: "is registered as one that keeps")
      try await schema.sql("update job set keeps_history = not keeps_history")
      try await schema.sql("update pg_dist_local_group set groupid = 2")
      expectComplaint(
        try await schema.gymrats.run("check"), status: 78,
        what: "trigger entry_updated on entry is missing")
    }
  }
}
