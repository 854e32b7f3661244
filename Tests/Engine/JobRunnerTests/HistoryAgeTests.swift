import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

/// Tests the age of ended runs, which is a duration and does not depend on the caller's time zone.
@Suite(.timeLimit(.minutes(5))) struct HistoryAgeTests {
  /// Returns a caller in a zone whose clocks were put forward three days ago, and go back two
  /// months later.
  private func caller(in test: TestSchema) async throws -> SettingsCaller {
    let days = try await test.sql(
      """
      select least(365, extract(doy from pg_catalog.now() - interval '3 days')::integer),
        least(365, extract(doy from pg_catalog.now() + interval '60 days')::integer)
      """
    )[0].split(separator: ",")
    return try await SettingsCaller(
      ["TimeZone=AAA0BBB,J\(days[0]),J\(days[1])"], to: test.configuration, in: test.schema)
  }

  @Test func `a day of the history's age is 24 hours whatever clocks do meanwhile`() async throws {
    try await TestSchema.with { test in
      // By the clocks of that zone, this is half an hour more than 7 days.
      let ended = "pg_catalog.now() - interval '167 hours 30 minutes'"
      try await test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, ended_at, error)
        values (1, 'j', 'k', 1, \(ended), 'no')
        """)
      try await test.sql(
        """
        insert into run_history (partition, created_at, id, job, key, attempt, outcome)
        values (day_partition(\(ended)), \(ended), 1, 'j', 'k', 1, 'done')
        """)
      let caller = try await caller(in: test)
      #expect(
        try await caller.ask(
          "select (\(ended) < pg_catalog.now() - interval '7 days')::text") == ["true"])
      #expect(try await caller.ask("select count(*)::text from expired_attempt") == ["0"])
      #expect(
        try await caller.ask(
          """
          select truncate_history('run_history_' || partition, 'infinity')::text from run_history
          """) == ["false"])
      await caller.connection.close()
    }
  }

  @Test func `a day of a dead run's age is 24 hours too`() async throws {
    try await TestSchema.with { test in
      // By the clocks of that zone, this is half an hour more than 30 days.
      let died = "pg_catalog.now() - interval '719 hours 30 minutes'"
      try await test.sql(
        """
        insert into dead_run (id, job, key, attempt, died_at, error)
        values (1, 'j', 'k', 1, \(died), 'no')
        """)
      let caller = try await caller(in: test)
      #expect(
        try await caller.ask(
          "select (\(died) < pg_catalog.now() - interval '30 days')::text") == ["true"])
      let purge = Call.row(SQL.Purge.purgeDeadRuns, Int64(100), Int64?.none) {
        (row) throws(PostgresError) in
        let (deleted, _) = try row.decode(Int64.self, Int64?.self)
        return deleted
      }
      #expect(try await caller.connection.run(purge) == 0)
      try await test.sql("update dead_run set died_at = died_at - interval '1 hour'")
      #expect(try await caller.connection.run(purge) == 1)
      await caller.connection.close()
    }
  }
}
