import BatonJobs
import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests the audit log: the contents of a row, the row's transaction, and that rows cannot be
/// changed.
@Suite(.timeLimit(.minutes(5))) struct AuditTests {
  private func refused(_ statement: String, _ state: String, in schema: TestSchema) async {
    let error = await #expect(throws: PostgresError.self, "\(statement)") {
      try await schema.sql(statement)
    }
    #expect(error?.sqlState.code == state, "\(statement): \(error.map { "\($0)" } ?? "")")
  }

  // MARK: What a row says

  @Test func `a row says who, as whom, from where, what of what, and what changed`() async throws {
    try await TestSchema.withAudit { audit in
      try await audit.schema.sql(
        """
        select set_config('role', 'pg_monitor', true), set_config('baton.os_user', 'ann', true),
          set_config('baton.host', 'desk', true), set_config('baton.program', 'orders', true),
          record_audit('jobs pause', '{"job": "send"}', '{"paused": false}', '{"paused": true}',
            '{"all": true}', 3)
        """)
      let row = try await audit.read(
        """
        select login = session_user, role, os_user, host, program, client is null, action, subject,
          before, after, filter, count, at between now() - interval '1 minute' and clock_timestamp(),
          application = current_setting('application_name')
        from audit
        """)
      #expect(
        row == [
          "t,pg_monitor,ann,desk,orders,t,jobs pause,{\"job\": \"send\"},{\"paused\": false},"
            + "{\"paused\": true},{\"all\": true},3,t,t"
        ])
      try await audit.append()
      #expect(
        try await audit.schema.sql(
          "select role = login, os_user is null, count is null from audit where number = 2")
          == ["t,t,t"])
    }
  }

  @Test func `an entry of a program has its user, and nothing of its payload`() async throws {
    try await TestSchema.withAudit { audit in
      let connection = try await audit.schema.connect()
      let queue = Queue(Session(connection, in: audit.schema.schema))
      try await audit.schema.sql(
        "insert into job (name, topics, quiet, at_most) values ('send', '{}', '0', '0')")
      let id = try await queue.enqueueByHand(
        RunRequest(job: "send", key: "k", payload: #"{"password": "hunter2"}"#, priority: 2))
      #expect(
        try await audit.read("select action, subject, after from audit") == [
          "enqueue,{\"job\": \"send\", \"key\": \"k\"},"
            + "{\"run\": \(id), \"priority\": 2, \"replaces\": false}"
        ])
      #expect(
        try await audit.schema.sql(
          "select os_user <> '' and host <> '' and program <> '' from audit") == ["t"])
      #expect(try await audit.schema.sql("select from audit where audit::text ~ 'hunter2'") == [])
      let listed = try #require(try await queue.audit(AuditFilter(), limit: 5).first)
      #expect(listed.action == "enqueue" && listed.from?.contains("@") == true)
      await connection.close()
    }
  }

  @Test func `a development clock that is put ahead is told, at the server's time`() async throws {
    try await TestSchema.withAudit { audit in
      let connection = try await audit.schema.connect()
      let clock = DevelopmentClock(Session(connection, in: audit.schema.schema))
      try await clock.begin(dataCheck: nil)
      try await clock.move(.further(3600), jobs: [])
      #expect(
        try await audit.read("select action, before, after, at <= clock_timestamp() from audit")
          == ["dev clock,{\"ahead_us\": 0},{\"ahead_us\": 3600000000},t"])
      await connection.close()
    }
  }

  // MARK: The transaction

  @Test func `what is rolled back leaves no row and no gap, and whoever appends waits for its end`()
    async throws
  {
    try await TestSchema.withAudit { audit in
      try await audit.schema.holding("select record_audit('rolled back')") { lock in
        async let appended: Void = audit.append()
        try await lock.waitUntilItBlocks()
        #expect(try await audit.schema.sql("select from audit") == [])
        try await lock.release()
        try await appended
      }
      #expect(try await audit.schema.sql("select action, number from audit") == ["try,1"])
      #expect(try await audit.faults() == [])
    }
  }

  @Test func `an old snapshot appends nothing`() async throws {
    try await TestSchema.withAudit { audit in
      let connection = try await audit.schema.connect()
      try await connection.script(
        Statement(
          "test/begin",
          """
          begin isolation level repeatable read; set local search_path to \(audit.schema.schema.name);
          select count(*) from audit
          """))
      try await audit.append()
      let error = await #expect(throws: PostgresError.self) {
        try await connection.script(Statement("test/append", "select record_audit('late')"))
      }
      #expect(error?.sqlState.code == "40001")
      await connection.close()
      #expect(try await audit.faults() == [])
      #expect(try await audit.rows().count == 1)
    }
  }

  @Test func `eight that append at once make one chain without a gap`() async throws {
    try await TestSchema.withAudit { audit in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 {
          group.addTask {
            let connection = try await audit.schema.connect()
            let session = Session(connection, in: audit.schema.schema)
            for number in Int64(0)..<15 {
              try await session.record(AuditEntry("try", ["n": .number(number)]))
            }
            await connection.close()
          }
        }
        try await group.waitForAll()
      }
      #expect(try await audit.faults(pageSize: 7) == [])
      #expect(try await audit.verified().rows == 120)
      #expect(
        try await audit.schema.sql(
          """
          select from (select at < lag(at) over (order by day, number) as is_late from audit) a
          where is_late
          """) == [])
    }
  }

  @Test func `bulk actions on the same runs at once all end, and count each run once`() async throws
  {
    try await TestSchema.withAudit { audit in
      try await audit.schema.sql(
        """
        insert into dead_run (id, job, key, attempt, error)
        select n, 'j', 'k' || n, 1, 'it failed' from generate_series(1, 400) n
        """)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for worker in 0..<6 {
          group.addTask {
            let connection = try await audit.schema.connect()
            let queue = Queue(Session(connection, in: audit.schema.schema))
            if worker.isMultiple(of: 2) {
              _ = try await queue.retry(DeadSelection())
            } else {
              _ = try await queue.discard(DeadSelection(RunSelection(job: "j")))
            }
            await connection.close()
          }
        }
        try await group.waitForAll()
      }
      #expect(try await audit.schema.sql("select sum(count) from audit") == ["400"])
      #expect(try await audit.faults() == [])
    }
  }

  // MARK: Days

  @Test func `each day begins with the last hash of the one before, whatever the clock does`()
    async throws
  {
    try await TestSchema.withAudit { audit in
      // The last row is from tomorrow, because the clock has been set back since.
      try await audit.append(ages: [3, 3, 1, -1])
      try await audit.append()
      #expect(try await audit.rows() == ["3/1", "3/2", "1/1", "-1/1", "-1/2"])
      #expect(
        try await audit.schema.sql(
          """
          select from audit a where number = 1 and previous <> coalesce(
            (select hash from audit b where b.day < a.day order by day desc, number desc limit 1),
            decode(repeat('00', 32), 'hex'))
          """) == [])
      #expect(
        try await audit.schema.sql("select count(*) from audit where day > at::date") == ["1"])
      #expect(try await audit.faults(pageSize: 2) == [])
      #expect(try await audit.verified(pageSize: 2).days == 3)
    }
  }

  // MARK: What stays

  @Test func `nobody changes, removes or empties rows, the owner neither`() async throws {
    try await TestSchema.withAudit { audit in
      try await audit.append(ages: [401, 401, 400, 0])
      for statement in [
        "update audit set action = 'x'", "update audit set action = action where false",
        "truncate audit", "delete from audit", "delete from audit where number = 2",
        "delete from audit where day = (select max(day) from audit where number = 1)",
        // Only the oldest row is deleted. The chain would still begin at its recorded start, in the
        // middle of a day.
        "delete from audit where number = 1 and day = (select min(day) from audit)",
        "update audit_chain set last_hash = purged_hash",
        "update audit_chain set last_number = 7", "update audit_chain set purged_hash = last_hash",
        "delete from audit_chain", "truncate audit_chain",
      ] {
        await refused(statement, "ZB014", in: audit.schema)
      }
      #expect(try await audit.rows() == ["401/1", "401/2", "400/1", "0/1"])
      #expect(try await audit.faults() == [])
    }
  }

  @Test func `what is older than 400 days goes by whole days, and the rest verifies`() async throws
  {
    try await TestSchema.withAudit { audit in
      try await audit.append(ages: [500, 500, 450, 401, 400, 0])
      func purge() async throws -> [String] { try await audit.schema.sql("select purge_audit()") }
      #expect(try await purge() == ["2"])
      #expect(try await audit.faults() == [])
      #expect(try await purge() == ["1"])
      #expect(try await purge() == ["1"])
      #expect(try await purge() == ["0"])
      #expect(try await audit.rows() == ["400/1", "0/1"])
      #expect(try await audit.faults() == [])
      // The start of the chain is recorded, so later deletions at that place are found.
      try await audit.tamper("delete from audit where day < now()::date - 300;")
      #expect(try await audit.faults() == ["torn 0/1"])
    }
  }

  @Test func `the chain goes on where everything was purged`() async throws {
    try await TestSchema.withAudit { audit in
      try await audit.append(ages: [402, 401])
      #expect(try await audit.schema.sql("select purge_audit(), purge_audit()") == ["1,1"])
      #expect(try await audit.faults() == [])
      #expect(try await audit.verified().last == nil)
      try await audit.append()
      #expect(try await audit.rows() == ["0/1"])
      #expect(try await audit.faults() == [])
      #expect(
        try await audit.schema.sql(
          "select from audit where previous = decode(repeat('00', 32), 'hex')") == [])
    }
  }

  @Test func `what is purged while a check is at it is not missed`() async throws {
    try await TestSchema.withAudit { audit in
      try await audit.append(ages: [403, 403, 402, 401, 0, 0])
      let connection = try await audit.schema.connect()
      let other = try await audit.schema.connect()
      var faults: [AuditFault] = []
      let result = try await AuditVerification(
        Session(connection, in: audit.schema.schema), pageSize: 1
      ).verify(
        tell: { faults.append($0) },
        show: { rows in
          guard rows == 1 else { return }
          for _ in 0..<3 { try await other.sql("select purge_audit()", in: audit.schema.schema) }
        })
      #expect(faults == [] && result.rows == 3)
      await connection.close()
      await other.close()
    }
  }
}
