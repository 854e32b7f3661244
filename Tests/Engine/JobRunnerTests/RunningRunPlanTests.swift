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
    (SQL.Workers.forgetDead, "", ""),
    (SQL.Queue.listTokens, "uuid", "'%'"),
    (SQL.Queue.releaseUnknown, "uuid, uuid[]", "'%', array['%'::uuid]"),
    (SQL.Queue.countLeft, "text[]", "array['note']"),
    (SQL.Queue.countWaiting, "text[]", "array['note', 'timer']"),
    (SQL.Workers.unregister, "uuid", "'%'"),
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
        insert into run (job, key, state, due, first_event_at, last_event_at, token, worker)
        select 'note', 'r' || n, 'running', now(), now(), now(), gen_random_uuid(), '\(worker)'
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
}
