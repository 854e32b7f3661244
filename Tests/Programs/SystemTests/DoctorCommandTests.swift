import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `gymrats doctor`: the properties of the server and the schema that a queue cannot use.
@Suite(.timeLimit(.minutes(5))) struct DoctorCommandTests {
  /// Returns the findings as `severity|what|where|next`.
  private func findings(_ schema: TestSchema, _ more: String...) async throws -> [String] {
    let ended = try await schema.gymrats.start(["doctor", "--json"] + more).wait()
    #expect(ended.status <= 2, "\(ended.errors)")
    let object = try #require(JSONSerialization.jsonObject(with: ended.bytes) as? [String: Any])
    let found = try #require(object["findings"] as? [[String: String]])
    let worst = ["critical": 2, "warning": 1]
    let code = found.compactMap { worst[$0["severity"] ?? ""] }.max() ?? 0
    #expect(ended.status == Int32(code))
    return found.map { finding in
      ["severity", "what", "where", "next"].map { finding[$0] ?? "" }.joined(separator: "|")
    }
  }

  private func expect(
    _ beginning: String, _ rest: String, in findings: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(
      findings.contains { $0.hasPrefix(beginning) && $0.contains(rest) }, "\(findings)",
      sourceLocation: sourceLocation)
  }

  /// Runs the printed statement of a finding in a session with the default search_path.
  private func runPrinted(
    by beginning: String, in findings: [String], _ schema: TestSchema
  ) async throws {
    let finding = try #require(findings.first { $0.hasPrefix(beginning) })
    let next = try #require(finding.split(separator: "|").last)
    let statement = try #require(next.split(separator: "run: ").last).dropLast()
    let connection = try await schema.connect()
    try await connection.script(Statement("test/printed", String(statement)))
    await connection.close()
  }

  /// Sets a setting for each session of the test's database.
  private func set(_ setting: String, _ value: String, _ schema: TestSchema) async throws {
    let database = try #require(try await schema.sql("select current_database()").first)
    try await schema.sql("alter database \"\(database)\" set \(setting) = '\(value)'")
  }

  @Test(.sampled())
  func `doctor reports that fsync is off on the test server, and how to fix it`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      // The server loses its data in a crash, as intended for tests.
      let found = try await findings(schema)
      expect(
        "critical|fsync is off", "alter system set fsync = 'on'; select pg_reload_conf()", in: found
      )
      #expect(!found.contains { $0.contains("job table") || $0.contains("|autovacuum is off") })
      let text = try await schema.gymrats.run("doctor")
      #expect(text.output.hasPrefix("gymrats CRITICAL: ") && text.status == 2)
      #expect(text.output.contains("\n  where: setting fsync\n  next:  alter system set fsync"))
    }
  }

  @Test(.sampled())
  func `settings that break jobs or lose writes are found as a worker would have them`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await set("statement_timeout", "2s", schema)
      try await set("synchronous_commit", "off", schema)
      try await set("idle_session_timeout", "10s", schema)
      let found = try await findings(schema)
      expect("warning|Statements end after 2000 ms", "statement_timeout = 0", in: found)
      expect("warning|synchronous_commit is off", "alter system", in: found)
      expect("warning|Sessions that are idle for 10000 ms", "idle_session_timeout = 0", in: found)
      try await set("default_transaction_read_only", "on", schema)
      expect("critical|Transactions are read-only", "DATABASE_URL", in: try await findings(schema))
    }
  }

  @Test(.sampled()) func `dead rows, a table without vacuum and who keeps them are named`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql("alter table run set (autovacuum_enabled = false)")
      let holder = try await schema.connect()
      let pid = await holder.backend.pid
      try await holder.transaction(in: schema.schema) { transaction in
        try await transaction.run(.run(Statement("test/hold", "select")))
        let found = try await findings(schema, "--transaction", "0")
        expect("critical|Autovacuum is off for run.", "reset (autovacuum_enabled)", in: found)
        expect(
          "warning|A transaction has been open", "select pg_terminate_backend(\(pid))", in: found)
      }
      await holder.close()
      try await schema.sql("alter table job_limit set (autovacuum_enabled = false)")
      // Autovacuum must not remove the dead rows before the check.
      try await schema.sql(
        "create table \"Bloated table\" (n int) with (autovacuum_vacuum_threshold = 1000000)")
      try await schema.sql("insert into \"Bloated table\" select generate_series(1, 500)")
      try await schema.sql("delete from \"Bloated table\"")
      // The server writes its statistics when a session is idle or ends.
      try await eventually("the dead rows") {
        try await schema.sql(
          """
          select n_dead_tup > 100 from pg_stat_user_tables where relname = 'Bloated table'
          """) == ["t"]
      }
      let found = try await findings(schema, "--dead-rows", "100")
      expect("warning|Bloated table has ", "vacuum ", in: found)
      #expect(try await findings(schema).contains { $0.contains("Bloated table has ") } == false)
      let exempt = "critical|Autovacuum is off for "
      for finding in found where finding.hasPrefix(exempt) {
        try await runPrinted(by: finding, in: found, schema)
      }
      try await runPrinted(by: "warning|Bloated table has ", in: found, schema)
      try await eventually("the vacuumed table") {
        try await !findings(schema, "--dead-rows", "100").contains {
          $0.hasPrefix("warning|Bloated table has ") || $0.hasPrefix(exempt)
        }
      }
    }
  }

  @Test(.sampled()) func `drift is what check finds, and nothing is changed`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql("drop trigger grace_changed on setting")
      let found = try await findings(schema)
      expect(
        "critical|the trigger grace_changed on setting is missing", "gymrats migrate", in: found)
      #expect(
        try await schema.gymrats.run("check").errors.contains("grace_changed on setting is missing")
      )
    }
  }

  @Test(.sampled())
  func `doctor lists for a dashboard role, but not for an operator, what it cannot read`()
    async throws
  {
    let place = try await RolePlace.make()
    let operators = try await place.gymrats(as: "operator").run("doctor")
    #expect(operators.errors == "" && !operators.output.contains("Not seen: whether"))
    let dashboards = try await place.gymrats(as: "dashboard").run("doctor")
    #expect(dashboards.errors == "" && dashboards.output.contains("note: Not seen: whether jobs"))
    try await place.gymrats(as: "api").start("doctor").end(with: 77)
  }
}
