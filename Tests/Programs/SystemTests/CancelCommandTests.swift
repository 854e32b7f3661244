import Foundation
import TestSupport
import Testing

/// Tests `runs cancel` with real processes.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct CancelCommandTests {
  /// Calls the body while two ranked boards in a process wait for a lock of the test.
  ///
  /// Passes the run of the first board.
  private func withStuckRun(
    _ arguments: [String], _ body: (TestSchema, TestProcess, HeldLock, String) async throws -> Void
  ) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let people = People(schema)
      try await people.join("u1", group: "g")
      #expect(try await people.record("u1", "w1") == "accepted")
      try await schema.holding("lock table standing in access exclusive mode") { lock in
        let process = try schema.gymrats.start(arguments)
        try await lock.waitUntilItBlocks()
        // A run that a schedule has just created may wait there as well, or may be running and end
        // soon.
        var id: String?
        try await eventually("a board that is being ranked") {
          id = try await schema.sql(
            """
            select id from run where job = 'recompute-ranks' and state = 'running' order by id limit 1
            """
          ).first
          return id != nil
        }
        try await body(schema, process, lock, try #require(id))
      }
    }
  }

  @Test(
    .sampled(),
    arguments: [["runs", "cancel", "1"], ["run", "recompute-ranks", "--key", "1"]])
  func `a command whose connection the server ends may be repeated`(arguments: [String])
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.holding("lock table run in access exclusive mode") { lock in
        let command = try schema.gymrats.start(arguments)
        try await lock.waitUntilItBlocks()
        try await schema.sql(
          """
          select pg_terminate_backend(pid) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()
          """)
        let ended = try await command.wait(within: .seconds(20))
        #expect(ended.status == 75, "\(ended.errors)")
        #expect(ended.errors.contains("Run the command again in a moment."), "\(ended.errors)")
      }
    }
  }

  @Test(.sampled())
  func `the command run exits with 75 if the server ends its connection during the work`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.holding("lock table standing in access exclusive mode") { lock in
        let process = try schema.gymrats.start(
          "run", "recompute-ranks", "--json", "--key", "00000000-0000-0000-0000-000000000001")
        try await lock.waitUntilItBlocks()
        try await schema.sql(
          """
          select pg_terminate_backend(pid) from pg_stat_activity
          where \(lock.pid) = any (pg_blocking_pids(pid))
          """)
        let ended = try await process.wait(within: .seconds(40))
        #expect(ended.status == 75, "\(ended.errors)")
        #expect(ended.output.contains("\"result\":\"interrupted\""))
        #expect(ended.errors.contains("error: The run was interrupted: "), "\(ended.errors)")
        #expect(ended.errors.contains("\nwhere: recompute-ranks\nnext:  Run the command again"))
      }
      #expect(try await schema.sql("select state, attempt, crashes from run") == ["ready,0,0"])
    }
  }

  @Test(.sampled())
  func `a run that a worker works is cancelled, and the others of its batch are done`()
    async throws
  {
    try await withStuckRun(["worker"]) { schema, worker, lock, id in
      let keys = try await schema.sql(
        "select key from run where job = 'recompute-ranks' order by id")
      try await expectTime(below: .seconds(3) * patience, "a cancellation") { () async throws in
        #expect(
          try await schema.gymrats.succeed("runs", "cancel", id, "--wait")
            == "run \(id) is cancelled\n"
        )
      }
      #expect(try await schema.sql("select id from run where id = \(id)").isEmpty)
      let shown = try await schema.gymrats.succeed("runs", "show", id, "--json")
      #expect(shown.contains("\"state\": \"cancelled\"") && shown.split(separator: "\n").count == 1)
      // The second call finds the requested state.
      #expect(try await schema.gymrats.succeed("runs", "cancel", id) == "run \(id) is cancelled\n")
      try await lock.release()
      try await eventually("the others are ranked") {
        try await schema.sql("select from run where job = 'recompute-ranks'").isEmpty
      }
      let ranked = try await schema.sql("select distinct challenge_id from standing order by 1")
      #expect(ranked.count == keys.count - 1)
      worker.signal(SIGTERM)
      try await worker.end(with: 0)
      #expect(worker.errorsSoFar.contains("cancelled"))
      let history = try await schema.gymrats.succeed("runs", "history", "recompute-ranks", "--json")
      #expect(history.contains("\"outcome\":\"cancelled\""))
    }
  }

  @Test(.sampled())
  func `a run whose worker is killed before it reads the request is cancelled`() async throws {
    try await withStuckRun(["worker"]) { schema, worker, lock, id in
      worker.signal(SIGSTOP)
      #expect(
        try await schema.gymrats.succeed("runs", "cancel", id) == "run \(id) is being cancelled\n")
      let shown = try await schema.gymrats.succeed("runs", "show", id)
      #expect(
        shown.contains("\"cancel_requested_at\": \"20") && shown.contains("\"state\": \"running\""))
      worker.signal(SIGKILL)
      _ = try await worker.wait()
      try await lock.release()
      try await schema.gymrats.start("worker", "--until-idle").end(with: 0)
      let ended = try await schema.sql(
        "select id, outcome from run_history where job = 'recompute-ranks'")
      #expect(ended == ["\(id),cancelled"])
      #expect(try await schema.sql("select count(*) from cancellation") == ["0"])
    }
  }

  @Test(.sampled()) func `the command run exits with 1 if its run is cancelled`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.holding("lock table standing in access exclusive mode") { lock in
        let process = try schema.gymrats.start(
          "run", "recompute-ranks", "--json", "--key", "00000000-0000-0000-0000-000000000001")
        try await lock.waitUntilItBlocks()
        let id = try #require(try await schema.sql("select id from run").first)
        try await schema.gymrats.succeed("runs", "cancel", id)
        let ended = try await process.wait()
        #expect(ended.status == 1 && ended.output.contains("\"result\":\"cancelled\""))
        #expect(ended.errors.contains("error: The run was cancelled"))
      }
    }
  }

  @Test(.sampled())
  func `the cancellation of all runs is requested before the wait, which is 10 s for all runs`()
    async throws
  {
    try await Released.with { released in
      let program = released.program(2)
      try await program.succeed("migrate")
      let worker = try program.start("worker")
      defer { worker.signal(SIGKILL) }
      try await released.sql("insert into item (key) values ('hang-1'), ('hang-2')")
      try await eventually("two running runs") {
        try await released.sql("select count(*) from run where state = 'running'") == ["2"]
      }
      // A stopped worker does not read the requests.
      worker.signal(SIGSTOP)
      let ids = try await released.sql("select id from run order by id")
      for selection in [ids, ["--all"]] {
        let ended = try await program.start(["runs", "cancel", "--wait"] + selection).wait()
        #expect(ended.status == 75, "\(ended.errors)")
        #expect(ended.errors.contains("Run \(ids[0]) is still running."))
        #expect(ended.duration < .seconds(10) + .seconds(2) * patience, "\(ended.duration)")
        #expect(
          try await released.sql(
            """
            select count(*), max(requested_at) - min(requested_at) < interval '9 seconds'
            from cancellation
            """) == ["2,t"])
        try await released.sql("delete from cancellation")
      }
    }
  }

  @Test(.sampled()) func `each of several ids is answered for, and what is not there is 66`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let ids = try await schema.sql(
        "select enqueue('purge-runs', 'scheduled') from generate_series(1, 2)")
      try await schema.sql(
        """
        insert into run_history (partition, created_at, id, job, key, attempt, outcome, error)
        select day_partition(now()), now(), id, 'purge-runs', 'scheduled', 1, outcome, error
        from (values (901, 'done', null), (902, 'dead', 'it failed')) ended (id, outcome, error)
        """)
      // The dead run 902 was discarded, and remains in the history.
      let ended = try await schema.gymrats.run(
        "runs", "cancel", "4711", ids[1], "901", "902", "--json", within: .seconds(60))
      #expect(ended.status == 66, "\(ended.errors)")
      let lines = ended.output.split(separator: "\n")
      #expect(lines.count == 4 && lines[0] == #"{"id":4711,"result":"missing"}"#)
      #expect(lines[1].contains("\"result\":\"cancelled\""))
      #expect(lines[2] == #"{"id":901,"result":"done","run":901}"#)
      #expect(lines[3] == #"{"id":902,"result":"dead","run":902}"#)
      #expect(ended.errors.contains("There is no run 4711"))
      #expect(ended.errors.contains("Run 901 had ended: done"))
      #expect(try await schema.sql("select count(*) from run") == ["0"])
    }
  }
}
