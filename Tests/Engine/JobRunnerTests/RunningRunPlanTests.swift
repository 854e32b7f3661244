import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests that statements that search for running or failed runs read few pages, regardless of the
/// number of waiting runs in the table.
@Suite struct RunningRunPlanTests {
  /// `BATON_QUEUE_RUNS=1000000` tests the full size.
  private let timers =
    ProcessInfo.processInfo.environment["BATON_QUEUE_RUNS"].flatMap { Int($0) } ?? 50_000

  private static let statements: [(Statement, types: String, values: String)] = [
    (SQL.Queue.reclaim, "", ""),
    (SQL.Queue.hasLostRuns, "", ""),
    (SQL.Workers.forgetDead, "", ""),
    (SQL.Queue.listTokens, "uuid", "'%'"),
    (SQL.Queue.releaseUnknown, "uuid, uuid[]", "'%', array['%'::uuid]"),
    (SQL.Queue.countLeft, "text[]", "array['note']"),
    (SQL.Queue.countWaiting, "text[]", "array['note', 'timer']"),
    (SQL.Workers.unregister, "uuid", "'%'"),
    (
      SQL.Runs.list, "text, text, bigint, text, timestamptz, timestamptz, text, text",
      "null, 'running', 50, null, null, null, null, null"
    ),
  ]

  @Test(.sampled()) func `running and failed runs are found without reading the timers`()
    async throws
  {
    try await NoteQueue.with { queue in
      let worker = UUID().uuidString
      let test = queue.test
      try await test.sql(
        """
        insert into worker (id, name, is_direct, pid, backend_start)
        select '\(worker)', 'alive', false, 1, now()
        """)
      try await test.sql(
        """
        insert into run (id, job, key, state, due, first_event_at, last_event_at, token, worker)
        select 9000000000 + n, 'note', 'r' || n, 'running', now(), now(), now(), gen_random_uuid(), '\(worker)'
        from generate_series(1, 5) n
        """)
      try await test.sql(
        """
        insert into run (job, key, state, due, run_at, asked_at)
        select 'timer', n::text, 'ready', now() + interval '1 day', now() + interval '1 day', now()
        from generate_series(1, \(timers)) n
        """)
      try await test.sql("analyze run")
      let few = 60
      for (statement, types, values) in Self.statements {
        let pages = try await test.pages(
          of: statement, types, values.replacing("%", with: worker), atMost: few)
        #expect(pages <= few, "\(statement.name) beside \(timers) timers")
      }
    }
  }

  /// `runs show`, `runs cancel`, `runs wait` and the page of a run use the same search.
  @Test(.sampled()) func `a run in any state is found by its id without reading the timers`()
    async throws
  {
    try await NoteQueue.with { queue in
      let test = queue.test
      try await test.sql(
        """
        insert into run (job, key, state, due, run_at, asked_at)
        select 'timer', n::text, 'ready', now() + interval '1 day', now() + interval '1 day', now()
        from generate_series(1, \(timers)) n
        """)
      try await test.sql(
        """
        insert into run (id, job, key, state, due, first_event_at, last_event_at, earlier_ids)
        values (9000000001, 'note', 'waits', 'ready', now(), now(), now(), '{9000000002}')
        """)
      try await test.sql(
        """
        insert into run (id, job, key, state, due, first_event_at, last_event_at, token, worker)
        values (9000000008, 'note', 'runs', 'running', now(), now(), now(), gen_random_uuid(), gen_random_uuid())
        """)
      try await test.sql(
        """
        insert into dead_run (id, job, key, died_at, error, attempt, earlier_ids)
        values (9000000003, 'note', 'dead', now(), 'e', 1, '{9000000004}')
        """)
      try await test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, ended_at, error) values
          (9000000002, 'note', 'waits', 1, now(), 'e'), (9000000004, 'note', 'dead', 1, now(), 'e'),
          (9000000005, 'note', 'succeeded', 1, now(), 'e')
        """)
      try await test.sql(
        """
        insert into run_history (partition, created_at, id, job, key, attempt, outcome, earlier_ids)
        values (day_partition(now()), now(), 9000000006, 'note', 'done', 1, 'done', '{9000000007}')
        """)
      try await test.sql("analyze run")
      let states: [(Int64, Int64, String)] = [
        (1, 1, "ready"), (2, 1, "ready"), (3, 3, "dead"), (4, 3, "dead"), (5, 5, "ended"),
        (6, 6, "done"), (7, 6, "done"), (8, 8, "running"),
      ]
      for (id, current, state) in states {
        let asked = 9_000_000_000 + id
        let run = try #require(try await queue.queue.find(asked))
        #expect(run.id == 9_000_000_000 + current && run.state == state)
        for call in [
          Call.count(SQL.Runs.find, asked), .count(SQL.Runs.show, asked, true),
          .count(Self.life, asked),
        ] {
          #expect(try await rowsRead(by: call, in: test) < 10, "\(call) of a \(state) run")
        }
      }
      // The test is able to fail: a search for an unknown id reads all runs.
      #expect(try await rowsRead(by: .count(SQL.Runs.find, Int64(1) << 40), in: test) >= timers)
    }
  }

  /// Returns the number of rows of the table `run` that a call reads.
  private func rowsRead(by call: Call<Int>, in test: TestSchema) async throws -> Int64 {
    let connection = try await test.connect()
    let count = Statement(
      "test/rows_read",
      """
      select coalesce(sum(seq_tup_read + idx_tup_fetch), 0)::bigint
      from pg_stat_xact_user_tables where relid = 'run'::regclass
      """)
    let read = Call.row(count) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    let (_, rows) = try await Session(connection, in: test.schema).atomically(call, read)
    await connection.close()
    return rows
  }

  private static let life = Statement(
    "test/life", "select read_run_life($1, null, null) as life")

  /// While the transaction is open, the index contains an entry for each completed run.
  @Test(.sampled()) func `completed runs of live workers cost the search for lost runs nothing`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql("alter table run set (autovacuum_enabled = off)")
      let live = UUID()
      try await queue.connection.atomically(
        in: queue.test.schema,
        .run(
          SQL.Workers.register, live, "live", false, false, false, Int32?.none, String?.none,
          Int32?.none, String?.none, ["note"]))
      var pages: [[Int]] = []
      try await queue.test.holding("create temporary table open_for_long ()") { _ in
        for runs in [200, 20_000] {
          try await queue.test.sql(
            """
            insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker)
            select 'note', n::text, 'running', now(), now(), now(), 1, '\(UUID())', '\(live)'
            from generate_series(1, \(runs)) n
            """)
          try await queue.test.sql("delete from run")
          pages.append([
            try await queue.test.pages(of: SQL.Queue.hasLostRuns, "", ""),
            try await queue.test.pages(of: SQL.Queue.reclaim, "", ""),
          ])
        }
      }
      print("beside an old transaction, after 200 and 20,000 runs: pages \(pages)")
      for index in 0...1 { #expect(pages[1][index] <= pages[0][index] * 2 + 10) }
    }
  }
}
