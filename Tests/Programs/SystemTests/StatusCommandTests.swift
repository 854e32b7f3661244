import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `gymrats status`: one observation, with text for people and an exit code for monitoring.
@Suite(.timeLimit(.minutes(5))) struct StatusCommandTests {
  /// Calls the body with a schema and a worker that sends heartbeats, so that no problem exists.
  private func withWell(_ body: (TestSchema) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql(
        """
        insert into worker (id, name, is_direct, pid)
        values (gen_random_uuid(), 'here:1', false, 1)
        """)
      try await body(schema)
    }
  }

  @Test(.sampled()) func `what is well is one line, and zero`() async throws {
    try await withWell { schema in
      let text = try await schema.gymrats.succeed("status")
      #expect(text.hasPrefix("gymrats OK: 1 worker; 0 runs due, 0 running, 0 later, 0 dead; "))
      #expect(text.split(separator: "\n").count == 1)
    }
  }

  @Test(.sampled())
  func `a run that is being retried is counted, and wrong only after some attempts`()
    async throws
  {
    try await withWell { schema in
      try await schema.sql(
        """
        insert into run (job, key, state, due, backoff_until, attempt, first_event_at, last_event_at)
        values ('recompute-ranks', 'k', 'ready', now() + interval '1 h', now() + interval '1 h', 2,
          now() - interval '1 h', now())
        """)
      let text = try await schema.gymrats.succeed("status")
      #expect(text.hasPrefix("gymrats OK: "))
      #expect(text.contains(" 1 later (1 being retried), 0 dead; "), "\(text)")
      #expect(text.split(separator: "\n").count == 1)
    }
  }

  @Test(
    .sampled(),
    arguments: [
      (
        "insert into dead_run (id, job, key, attempt, error) values (9, 'retention', 'k', 1, 'x')",
        1,
        "warning: 1 run of retention died.", "runs list --state dead --job retention"
      ),
      (
        """
        update worker set common_failures = array[
          row('recompute-ranks', 'SQLSTATE 42P01', now() - interval '40 min', 9)::common_failure]
        """, 1,
        "warning: Every run of recompute-ranks fails alike in 1 worker (SQLSTATE 42P01), for 40 min",
        "tries one run every few seconds. Repeated failures of a run count, so the run can die."
      ),
      (
        "update schedule set next_at = now() - interval '2 min' where job = 'retention'", 1,
        "warning: The schedule retention is late by", "gymrats schedule list"
      ),
      (
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        values ('recompute-ranks', 'k', 'ready', now() - interval '1 h', now(), now())
        """, 2, "critical: 1 run of recompute-ranks is due, the oldest for 60 min",
        "Start more workers"
      ),
      (
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, token, worker)
        values ('recompute-ranks', 'k', 'running', now(), now() - interval '2 min', now(),
          gen_random_uuid(), gen_random_uuid())
        """, 1, "warning: A write has waited for the job recompute-ranks for", "being retried"
      ),
      (
        """
        insert into run (job, key, state, due, backoff_until, attempt, first_event_at, last_event_at)
        values ('recompute-ranks', 'k', 'ready', now() + interval '1 h', now() + interval '1 h', 8,
          now() - interval '1 h', now())
        """, 1,
        "warning: 1 run of recompute-ranks failed and is being retried, up to 8 failed attempts so far.",
        "runs list --job recompute-ranks` prints the errors. Fix their cause, because a run dies"
      ),
      (
        "update worker set heartbeat_at = now() - interval '1 min'", 1,
        "warning: 1 worker stopped without unregistering: here:1.", "take over its runs"
      ),
      ("delete from worker", 1, "warning: No worker is running.", "gymrats worker"),
      (
        """
        update worker set common_failures = array[
          row('', 'SQLSTATE 53100', now() - interval '40 min', 1)::common_failure]
        """, 2,
        "critical: No worker can dispatch, claim or complete runs (SQLSTATE 53100), for 40 min",
        "Free disk space on the database server."
      ),
      (
        """
        update worker set common_failures = array[
          row('', 'SQLSTATE 42501', now() - interval '40 min', 1)::common_failure];
        insert into worker (id, name, is_direct, pid) values (gen_random_uuid(), 'well:1', false, 2)
        """, 1,
        "warning: 1 worker cannot dispatch, claim or complete runs (SQLSTATE 42501), for 40 min",
        "which grants the rights of the roles."
      ),
      (
        """
        update schedule set next_at = now() - interval '2 days' where job = 'retention';
        update job set registered_at = now() - interval '3 days' where name = 'retention';
        insert into run (job, key, state, due, first_event_at, last_event_at)
        values ('retention', 'k', 'ready', now() - interval '1 h', now(), now())
        """, 1,
        "warning: No process has registered the job retention for 3 days, and it has 1 waiting run and 1 schedule.",
        "jobs retire retention --cancel-runs"
      ),
      (
        """
        update job set retired_at = now() where name = 'recompute-ranks';
        insert into run (job, key, state, due, first_event_at, last_event_at)
        values ('recompute-ranks', 'k', 'ready', now() - interval '1 h', now(), now())
        """, 1, "warning: recompute-ranks is retired, and 1 run of it waits.", "runs cancel --job"
      ),
      (
        """
        update job set paused_at = now() where name = 'recompute-ranks';
        insert into run (job, key, state, due, first_event_at, last_event_at)
        values ('recompute-ranks', 'k', 'ready', now() - interval '1 h', now(), now())
        """, 1, "warning: recompute-ranks is paused, and 1 of its runs waits.", "jobs resume"
      ),
      (
        """
        insert into challenge (id, group_id, week_start, type)
        select gen_random_uuid(), id, date_trunc('week', now() at time zone 'UTC')::date - 21, 'streak'
        from groups
        """, 1, "warning: week_closes_due_seconds is", "gymrats week status"
      ),
    ])
  func `what is wrong is said in three parts, and by the code`(
    change: String, code: Int32, what: String, next: String
  ) async throws {
    try await withWell { schema in
      try await schema.sql("insert into groups (id, name) values ('g', 'g')")
      for statement in change.split(separator: ";") { try await schema.sql("\(statement)") }
      let ended = try await schema.gymrats.run("status")
      #expect(ended.status == code, "\(ended.output)\(ended.errors)")
      #expect(ended.output.contains(what), "\(ended.output)")
      #expect(
        next == ""
          || ended.output.split(separator: "\n").contains { line in
            line.hasPrefix("  next:") && line.contains(next)
          }, "\(ended.output)")
      #expect(ended.output.hasPrefix("gymrats \(["OK", "WARNING", "CRITICAL"][Int(code)]): "))
      #expect(ended.errors == "")
    }
  }

  @Test(.sampled()) func `events that nobody folds and a transaction that is left open are found`()
    async throws
  {
    try await withWell { schema in
      try await schema.sql("select append_events('entry.changed', array['x'])::text")
      try await schema.sql("update event_0 set recorded_at = now() - interval '10 min'")
      try await schema.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        values ('recompute-ranks', 'k', 'ready', now(), now(), now())
        """)
      let holder = try await schema.connect()
      let pid = await holder.backend.pid
      try await holder.transaction(in: schema.schema) { transaction in
        try await transaction.run(.run(Statement("test/hold", "select")))
        let ended = try await schema.gymrats.run("status", "--transaction", "0:3600")
        #expect(ended.status == 2, "\(ended.errors)")
        #expect(
          ended.output.contains("critical: 1 event is not dispatched, the oldest for 10 min."))
        #expect(ended.output.contains("; 1 run due, "), "\(ended.output)")
        #expect(ended.output.contains("; event backlog 1; "), "\(ended.output)")
        #expect(ended.output.contains("where: server process \(pid) of "), "\(ended.output)")
        #expect(ended.output.contains("select pg_terminate_backend(\(pid))"))
        // Critical findings are first.
        let words = ended.output.split(separator: "\n").compactMap {
          $0.split(separator: ":").first
        }
        #expect(words.firstIndex(of: "critical") == 1)
      }
      await holder.close()
    }
  }

  @Test(.sampled()) func `thresholds can be moved, put off and refused`() async throws {
    try await withWell { schema in
      try await schema.sql(
        "insert into dead_run (id, job, key, attempt, error) values (9, 'retention', 'k', 1, 'x')")
      try await schema.gymrats.start("status", "--dead", "1:1").end(with: 2)
      try await schema.gymrats.start("status", "--dead", "2").end(with: 0)
      try await schema.gymrats.start("status", "--dead", "off").end(with: 0)
      try await schema.gymrats.start("status", "--dead", "off", "--workers", "2").end(with: 1)
      for wrong in ["5:1", "x", "1:2:3", "-1", "", "nan"] {
        #expect(try await schema.gymrats.run("status", "--dead=\(wrong)").status == 64, "\(wrong)")
      }
      var nowhere = schema.gymrats
      nowhere.environment["DATABASE_URL"] = "postgresql://x@/x?host=/nowhere"
      try await nowhere.start("status").end(with: 69)
    }
  }

  @Test(.sampled()) func `a program gets all of it as one object`() async throws {
    try await withWell { schema in
      try await schema.sql("delete from worker")
      let ended = try await schema.gymrats.run("status", "--json")
      #expect(ended.status == 1, "\(ended.errors)")
      let object = try #require(
        JSONSerialization.jsonObject(with: ended.bytes) as? [String: Any])
      #expect(object["state"] as? String == "warning")
      let finding = try #require((object["findings"] as? [[String: String]])?.first)
      #expect(Set(finding.keys) == ["severity", "what", "where", "next"])
      let observation = try #require(object["observation"] as? [String: Any])
      #expect((observation["jobs"] as? [[String: Any]])?.count ?? 0 > 5)
      let gauges = try #require(object["gauges"] as? [[String: Any]])
      #expect(
        gauges.map { $0["name"] as? String } == [
          "week_closes_due", "week_closes_due_seconds", "pushes_dropped",
        ])
      #expect(gauges[0]["value"] as? Double == 0)
    }
  }

  @Test(.sampled()) func `a dashboard may look, and is told what it does not see`()
    async throws
  {
    let place = try await RolePlace.make()
    let other = try await place.connect(as: "worker")
    try await other.transaction(in: place.schema) { transaction in
      try await transaction.run(.run(Statement("test/hold", "select")))
      for kind in ["dashboard", "operator"] {
        let ended = try await place.gymrats(as: kind).run("status", "--workers", "0")
        #expect(ended.status == 0, "\(ended.output)\(ended.errors)")
        #expect(ended.output.contains("note: Not seen: transactions of other roles"))
        #expect(!ended.output.contains("figures of gymrats"))
      }
      try await place.run("grant pg_read_all_stats to \(place.role("dashboard"))")
      for arguments in [["status", "--workers", "0"], ["doctor"]] {
        for kind in ["dashboard", "operator"] {
          let output = try await place.gymrats(as: kind).start(arguments).wait().output
          #expect(output.contains("gymrats "))
          #expect(!output.contains("Not seen: transactions"), "\(kind): \(output)")
          #expect(!output.contains("the role \(place.role("dashboard"))"), "\(kind): \(output)")
        }
      }
    }
    await other.close()
    try await place.gymrats(as: "api").start("status").end(with: 77)
  }
}
