import BatonJobs
import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

@Suite struct RunHistoryTests {
  private let paced = PacedJob.registered

  @Test func `a run that ended leaves one row, in the partition of its day`() async throws {
    try await JobTest.noting([paced]) { test in
      #expect(
        try await test.inlineRunner(paced).work(key: "a-2")
          == .done(runs: 1, report: ["steps": 2, "ends": 1]))
      let row = try await test.sql(
        """
        select job, key, attempt, outcome, started_at <= created_at, duration_ms >= 0, error is null,
          partition = floor(extract(epoch from created_at) / 86400)::bigint % 16,
          tableoid::regclass::text like '%run_history_' || partition
        from run_history
        """)
      #expect(row == ["paced,a-2,1,done,t,t,t,t,t"])
    }
  }

  @Test func `a run that a crash dead-lettered leaves a row too`() async throws {
    try await JobTest.noting([paced]) { test in
      for key in ["a-1", "b-1"] {
        // The runs are running for the third time, with a worker that is not registered.
        try await test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at, attempt, crashes,
            token, worker)
          values ('paced', '\(key)', 'running', now(), now(), now(), 3, 2, gen_random_uuid(),
            gen_random_uuid())
          """)
        try await test.drain()
      }
      let ended = try await test.history()
      #expect(ended.map(\.outcome) == ["dead", "dead"] && ended.map(\.key) == ["a-1", "b-1"])
      #expect(ended.first?.startedAt == nil && ended.first?.error?.contains("died") == true)
    }
  }

  @Test func `a job without history leaves none and costs no round trip more`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "bad")
      _ = try await queue.queue.foldAtOnce()
      let registration = queue.registration()
      let session = try await registration.control.session()
      try await registration.enter(on: session)
      let executor = registration.makeSharingExecutor()
      try await queue.test.sql("delete from run where key = 'bad'")
      let before = await session.connection.roundTrips
      #expect(try await executor.workOnce(queue.job))
      // The round trips are the claim, the fence together with the work, and the COMMIT.
      let trips = await session.connection.roundTrips - before
      #expect(trips == 3)
      await executor.close()
      try await queue.write("bad")
      try await queue.drain()
      #expect(try await queue.count("dead_run") == 1)
      #expect(try await queue.count("run_history") == 0)
    }
  }
}

@Suite struct TruncatePartitionTests {
  private func with(_ body: (JobTest) async throws -> Void) async throws {
    try await TestSchema.run([]) { test in
      for (id, at) in [(1, "2024-05-01 10:00:00Z"), (2, "2024-05-01 10:00:00.000001Z")] {
        try await test.sql(insert(id, at))
      }
      // Another day has another partition.
      try await test.sql(insert(3, "2024-05-02 00:00:00Z"))
      try await body(test)
    }
  }

  private func insert(_ id: Int, _ at: String) -> String {
    """
    insert into run_history (partition, created_at, id, job, key, attempt, outcome)
    values (day_partition('\(at)'), '\(at)', \(id), 'j', 'k', 1, 'done')
    """
  }

  private func truncate(_ test: JobTest, before cutoff: String) async throws -> [String] {
    try await test.sql(
      """
      select coalesce(truncate_partition(('run_history_' || day_partition('2024-05-01Z'))::regclass,
        '\(cutoff)')::text, 'later')
      """)
  }

  @Test func `a day goes when all of it is older than the cutoff, to the microsecond`()
    async throws
  {
    try await with { (test: JobTest) async throws -> Void in
      #expect(try await truncate(test, before: "2024-05-01 10:00:00.000001Z") == ["false"])
      #expect(try await test.sql("select count(*) from run_history") == ["3"])
      #expect(try await truncate(test, before: "2024-05-01 10:00:00.000002Z") == ["true"])
      #expect(try await test.sql("select id from run_history") == ["3"])
      #expect(try await truncate(test, before: "2024-05-01 10:00:00.000002Z") == ["false"])
    }
  }

  @Test func `a partition that somebody writes is left for later, and nobody waits long`()
    async throws
  {
    try await with { test in
      let writer = try await test.connect()
      try await writer.transaction(in: test.schema) { transaction in
        try await transaction.run(
          .run(Statement("test/write", insert(4, "2024-05-01 23:59:59.999999Z"))))
        #expect(try await truncate(test, before: "2024-06-01Z") == ["later"])
      }
      // After the commit, this row is the newest row.
      #expect(try await truncate(test, before: "2024-05-01 23:59:59.999999Z") == ["false"])
      #expect(try await truncate(test, before: "2024-05-02Z") == ["true"])
      await writer.close()
    }
  }

  @Test func `an old snapshot decides nothing`() async throws {
    try await with { test in
      let connection = try await test.connect()
      let error = await #expect(throws: PostgresError.self) {
        try await connection.script(
          Statement(
            "test/old",
            """
            begin isolation level repeatable read; set local search_path = \(test.schema.name);
            select truncate_partition('run_history_0', now())
            """))
      }
      #expect(error?.sqlState == "25001")
      await connection.close()
    }
  }

  @Test func `every row finds its partition, whatever the day and the session's time zone`()
    async throws
  {
    try await TestSchema.run([]) { test in
      try await test.sql(
        """
        insert into run_history (partition, created_at, id, job, key, attempt, outcome)
        select day_partition(at), at, n, 'j', 'k', 1, 'done'
        from generate_series(0, 47) n,
          lateral (select timestamptz '2024-01-01 23:30Z' + n * interval '12 hours' as at) a
        """)
      let partitions = try await test.sql(
        "select count(distinct partition), count(*) from run_history")
      #expect(partitions == ["16,48"])
      let mixed = try await test.sql(
        """
        select partition, (created_at at time zone 'UTC')::date from run_history
        group by 1, 2 having count(*) > 2
        """)
      #expect(mixed.isEmpty)
    }
  }
}
