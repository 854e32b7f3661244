import BatonJobs
import BatonPostgres
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests which ended runs the runner purges, when it does so, and which rows remain.
@Suite(.timeLimit(.minutes(5))) struct PurgeRunsTests {
  private func with(_ body: (JobTest) async throws -> Void) async throws {
    try await TestSchema.run(RegisteredJob.ofRunner, body)
  }

  private func inlineRunner(_ test: JobTest) -> InlineRunner {
    test.inlineRunner(RegisteredJob.ofRunner[0])
  }

  private func work(_ test: JobTest) async throws -> InlineRunner.Result {
    try await inlineRunner(test).work(key: Schedule.sharedKey)
  }

  /// Inserts one history row for each age.
  ///
  /// The ids are the positions of the ages.
  private func history(_ test: JobTest, ages: String...) async throws {
    try await test.sql(
      """
      insert into run_history (partition, created_at, id, job, key, attempt, outcome)
      select day_partition(at), at, n, 'j', 'k', 1, 'done'
      from unnest(array['\(ages.joined(separator: "','"))']::interval[]) with ordinality a (age, n),
        lateral (select pg_catalog.now() - age as at) t
      """)
  }

  private func dead(_ test: JobTest, _ ids: ClosedRange<Int>, age: String) async throws {
    try await test.sql(
      """
      insert into dead_run (id, job, key, attempt, error, died_at)
      select n, 'j', 'k', 1, 'it failed', pg_catalog.now() - interval '\(age)'
      from generate_series(\(ids.lowerBound), \(ids.upperBound)) n
      """)
  }

  /// Returns the ids that remain from `history(_:ages:)`.
  ///
  /// The purge itself also adds a row.
  private func kept(_ test: JobTest) async throws -> [String] {
    try await test.sql("select id from run_history where job = 'j' order by id")
  }

  // MARK: What goes

  @Test func `days of the history that are older than the age go, younger ones stay`() async throws
  {
    try await with { test in
      try await history(
        test, ages: "0", "1 day", "5 days 23:59", "7 days 00:01", "9 days", "14 days")
      #expect(
        try await work(test)
          == .done(
            runs: 1,
            report: [
              "partitions emptied": 3, "partitions in use": 0, "dead runs": 0, "failed attempts": 0,
              "sent events": 0, "audit rows": 0,
            ]))
      #expect(try await kept(test) == ["1", "2", "3"])
    }
  }

  @Test func `rows that a wrong clock dated years ahead go with the old rows of their day`()
    async throws
  {
    try await with { test in
      // 76,800 hours are 200 rounds of the sixteen days, so rows 2 and 3 are in one partition.
      // Row 4 is alone in its partition.
      try await history(test, ages: "24 hours", "216 hours", "-76584 hours", "-76680 hours")
      #expect(
        try await work(test)
          == .done(
            runs: 1,
            report: [
              "partitions emptied": 1, "partitions in use": 0, "dead runs": 0, "failed attempts": 0,
              "sent events": 0, "audit rows": 0,
            ]))
      #expect(try await kept(test) == ["1", "4"])
    }
  }

  @Test func `a row keeps its day to the end of the age`() async throws {
    try await with { test in
      try await history(test, ages: "6 days 23:59")
      _ = try await work(test)
      #expect(try await kept(test) == ["1"])
    }
  }

  /// The state is as after two weeks without a purge: a partition is used for the second time.
  @Test func `a day with one young row stays whole`() async throws {
    try await with { test in
      try await history(test, ages: "6 days", "22 days", "8 days", "24 days")
      #expect(try await test.sql("select count(distinct partition) from run_history") == ["2"])
      _ = try await work(test)
      #expect(try await kept(test) == ["1", "2"])
    }
  }

  @Test func `the ages are settings`() async throws {
    try await with { test in
      try await history(test, ages: "12:00", "2 days", "8 days")
      try await dead(test, 1...1, age: "25:00")
      try await dead(test, 2...2, age: "23:00")
      try await test.sql(
        "update runner_setting set run_history_age = '14 days', dead_run_age = '1 day'")
      #expect(
        try await work(test)
          == .done(
            runs: 1,
            report: [
              "partitions emptied": 0, "partitions in use": 0, "dead runs": 1, "failed attempts": 0,
              "sent events": 0, "audit rows": 0,
            ]))
      #expect(try await test.sql("select id from dead_run") == ["2"])
      try await test.sql("update runner_setting set run_history_age = '1 day'")
      _ = try await work(test)
      #expect(try await kept(test) == ["1"])
    }
  }

  @Test(
    .sampled(),
    arguments: [
      ("run_history_age = '23 hours'", "run_history_age", "23514"),
      ("run_history_age = '14 days 00:00:01'", "run_history_age", "23514"),
      ("run_history_age = null", "run_history_age", "23502"),
      ("dead_run_age = '23 hours'", "dead_run_age", "23514"),
      ("dead_run_age = null", "dead_run_age", "23502"),
    ])
  func `the ages have floors`(setting: String, column: String, state: String) async throws {
    try await with { test in
      let error = await #expect(throws: PostgresError.self) {
        try await test.sql("update runner_setting set \(setting)")
      }
      #expect(error?.sqlState.code == state)
      #expect(error?.message.contains(column) == true)
    }
  }

  @Test func `dead runs that are older than the age go, in bounded numbers`() async throws {
    try await with { test in
      try await dead(test, 1...12_001, age: "30 days 00:01")
      try await dead(test, 20_000...20_002, age: "29 days 23:59")
      let steps = Mutex<[Int]>([])
      let result = try await inlineRunner(test).work(key: Schedule.sharedKey) { report in
        steps.withLock { $0.append(report["dead runs"]) }
      }
      #expect(steps.withLock { $0 } == [5000, 10_000, 12_001])
      #expect(
        result
          == .done(
            runs: 1,
            report: [
              "partitions emptied": 0, "partitions in use": 0, "dead runs": 12_001,
              "failed attempts": 0, "sent events": 0, "audit rows": 0,
            ])
      )
      #expect(
        try await test.sql("select id from dead_run order by id") == ["20000", "20001", "20002"])
    }
  }

  @Test func `no more dead runs go than were asked for, the oldest first`() async throws {
    try await with { test in
      try await dead(test, 1...5, age: "31 days")
      let connection = try await test.connect()
      for (left, removed) in [(["3", "4", "5"], 2), (["5"], 2), ([], 1), ([], 0)] {
        let count = try await connection.transaction(in: test.schema) {
          try await EndedRuns($0).purge(.deadRuns, limit: 2, from: nil).deleted
        }
        #expect(count == removed)
        #expect(try await test.sql("select id from dead_run order by id") == left)
      }
      await connection.close()
    }
  }

  @Test func `of the audit what is older than 400 days goes, a day a step`() async throws {
    try await with { test in
      try await test.sql(
        """
        do $$ begin
          perform record_audit('try') from generate_series(1, 5);
          alter table audit disable trigger user;
          alter table audit_chain disable trigger user;
          update audit set day = day - 403 + number, number = 1 where number < 5;
          update audit set number = 1;
          alter table audit enable trigger user;
          alter table audit_chain enable trigger user;
        end $$
        """)
      let removals = try #require(try await inlineRunner(test).removals(key: Schedule.sharedKey))
      #expect(removals.map { "\($0.table) \($0.rows)" } == ["audit 2"])
      let steps = Mutex<[Int]>([])
      let result = try await inlineRunner(test).work(key: Schedule.sharedKey) { report in
        steps.withLock { $0.append(report["audit rows"]) }
      }
      #expect(steps.withLock { $0 } == [1, 2])
      guard case .done(_, let report) = result else { throw TestFailure("\(result)") }
      #expect(report["audit rows"] == 2)
      #expect(
        try await test.sql("select now()::date - day from audit order by day") == [
          "400", "399", "0",
        ])
    }
  }

  @Test func `attempts of dead runs with the same time do not stop the purge of later attempts`()
    async throws
  {
    try await with { test in
      try await dead(test, 1...7, age: "1 day")
      try await test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, ended_at, error)
        select n, 'j', 'k', 1,
          pg_catalog.now() - case when n > 7 then interval '8 days' else '9 days' end, 'it failed'
        from generate_series(1, 9) n
        """)
      let connection = try await test.connect()
      var (position, counts) = (Int64?.none, [Int]())
      for _ in 0..<3 {
        let piece = try await connection.transaction(in: test.schema) { [position] in
          try await EndedRuns($0).purge(.failedAttempts, limit: 2, from: position)
        }
        counts.append(piece.deleted)
        position = piece.reached
      }
      await connection.close()
      #expect(counts == [0, 2, 0] && position == nil)
      #expect(try await test.sql("select count(*) from failed_attempt where run_id < 8") == ["7"])
    }
  }

  @Test func `sent events that are dated in the future do not stop the purge of old ones`()
    async throws
  {
    try await with { test in
      try await test.sql(
        """
        insert into sent_event (topic, key, dispatched_at)
        select 'paid', 'k', pg_catalog.now() + case when n <= 6000 then interval '3 years'
          when n <= 6002 then interval '-40 days' else interval '-1 day' end
        from generate_series(1, 6003) n
        """)
      guard case .done(_, let report) = try await work(test) else { throw TestFailure("not done") }
      #expect(report["sent events"] == 2)
      #expect(try await test.sql("select count(*) from sent_event") == ["6001"])
    }
  }

  // MARK: How

  @Test func `a dry run says what would go, by table and age, and removes nothing`() async throws {
    try await with { test in
      try await history(test, ages: "1 day", "8 days", "8 days", "9 days")
      try await dead(test, 1...3, age: "31 days")
      try await dead(test, 4...4, age: "40 days")
      try await dead(test, 5...5, age: "1 day")
      let expected = try await test.sql(
        """
        select relation, count(*), to_char(min(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
          to_char(max(at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        from (
          select tableoid::regclass::text as relation, created_at as at from run_history
          where id in (2, 3, 4)
          union all
          select 'dead_run', died_at from dead_run where id < 5) t
        group by relation order by relation
        """)
      #expect(expected.count == 3)
      let removals = try #require(try await inlineRunner(test).removals(key: Schedule.sharedKey))
      #expect(
        removals.map { "\($0.table),\($0.rows),\($0.oldest ?? ""),\($0.newest ?? "")" } == expected)
      #expect(removals.map(\.rows).sorted() == [1, 2, 4])
      #expect(try await kept(test).count == 4)
      #expect(try await test.sql("select count(*) from dead_run") == ["5"])
      _ = try await work(test)
      #expect(try await inlineRunner(test).removals() == [])
    }
  }

  @Test func `a dry run of the retired job predicts removals only if a run is due`()
    async throws
  {
    try await with { test in
      try await dead(test, 1...5, age: "31 days")
      #expect(try await inlineRunner(test).removals()?.map(\.rows) == [5])
      try await test.sql("update job set retired_at = now() where name = 'purge-runs'")
      #expect(try await inlineRunner(test).removals() == nil)
      try await test.sql(
        """
        insert into run (job, key, state, first_event_at, last_event_at, due)
        values ('purge-runs', 'scheduled', 'ready', now(), now(), now())
        """)
      #expect(try await inlineRunner(test).removals()?.map(\.rows) == [5])
    }
  }

  @Test(.sampled()) func `a day that is being read is left for later, and the others go`()
    async throws
  {
    try await with { test in
      try await history(test, ages: "8 days", "9 days", "10 days")
      let day = try await test.sql("select tableoid::regclass from run_history where id = 2")
      let reader = try await test.connect()
      try await reader.transaction(in: test.schema) { transaction in
        try await transaction.run(
          .run(Statement("test/read", "select count(*) from \(day.joined())")))
        #expect(
          try await work(test)
            == .done(
              runs: 1,
              report: [
                "partitions emptied": 2, "partitions in use": 1, "dead runs": 0,
                "failed attempts": 0, "sent events": 0, "audit rows": 0,
              ]))
        #expect(try await kept(test) == ["2"])
      }
      _ = try await work(test)
      #expect(try await kept(test) == [])
      await reader.close()
    }
  }

  /// A worker that counted as dead continues while another worker has its run.
  @Test(.sampled()) func `beside itself it removes each thing once and nothing else`() async throws
  {
    try await with { test in
      try await history(
        test, ages: "0", "1 day", "8 days", "9 days", "10 days", "11 days", "12 days")
      try await dead(test, 1...12_001, age: "31 days")
      try await dead(test, 20_000...20_002, age: "1 day")
      let report = try await withThrowingTaskGroup(of: Report.self) { group in
        for _ in 0..<4 { group.addTask { try await purgeBeside(test) } }
        return try await group.reduce(into: Report()) { $0 += $1 }
      }
      #expect(report["partitions emptied"] == 5)
      #expect(report["dead runs"] == 12_001)
      #expect(try await kept(test) == ["1", "2"])
      #expect(try await test.sql("select count(*) from dead_run") == ["3"])
    }
  }

  /// Executes all steps, without the claim that excludes other workers.
  private func purgeBeside(_ test: JobTest) async throws -> Report {
    let connection = try await test.connect()
    var state = PurgeRuns.State()
    let run = Run(PurgeRuns(), key: .shared)
    var sum = Report()
    var isDone = false
    while !isDone {
      switch try await Session(connection, in: test.schema).transaction({
        try await PurgeRuns.step(run, &state, in: EndedRuns($0))
      })
      {
      case .more(let report): sum += report
      case .done(let report):
        sum += report
        isDone = true
      }
    }
    await connection.close()
    return sum
  }
}
