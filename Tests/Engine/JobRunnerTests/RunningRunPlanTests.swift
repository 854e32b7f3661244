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
    (SQL.Runs.find, "bigint", "9000000001"),
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
