import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests unusual databases: another locale, another encoding, a publication.
@Suite(.timeLimit(.minutes(5))) struct ForeignDatabaseTests {
  /// Runs `body` with both products in a database with these options.
  private func with(
    _ options: String,
    _ body: (_ gymrats: BatonProgram, _ whosthere: BatonProgram, _ connection: Connection)
      async throws -> Void
  ) async throws {
    let address = try TestServer.address
    let name = "foreign_\(UInt32.random(in: .min ... .max))"
    let own = address.replacing("@/postgres?", with: "@/\(name)?")
    let server = try await Connection.open(ConnectionConfiguration(address: address))
    try await server.script(
      Statement("test/create", "create database \(name) template template0 \(options)"))
    let connection = try await Connection.open(ConnectionConfiguration(address: own))
    let environment = ["DATABASE_URL": own]
    let result: Result<Void, any Error>
    do {
      result = .success(
        try await body(
          BatonProgram(environment: environment),
          BatonProgram(
            executable: try BatonProgram.path(of: "whosthere"), environment: environment),
          connection))
    } catch {
      result = .failure(error)
    }
    await connection.close()
    try await server.script(Statement("test/drop", "drop database \(name) with (force)"))
    await server.close()
    try result.get()
  }

  private func text(_ query: String, _ connection: Connection) async throws -> String {
    try await connection.sql(query, in: .standard).first ?? "no row"
  }

  /// Migrates both products, creates the roles of both, and processes a board.
  private func expectWorking(
    _ gymrats: BatonProgram, _ whosthere: BatonProgram, _ connection: Connection
  ) async throws {
    let prefix = "r\(UInt32.random(in: .min ... .max))"
    for (program, suffix) in [(gymrats, "g"), (whosthere, "w")] {
      try await program.succeed("migrate")
      try await program.succeed("roles", "create", "--prefix", prefix + suffix)
      try await program.succeed("migrate")
      try await program.succeed("check")
    }
    for call in [
      "insert into users (id, display_name) values ('u1', 'Ann')",
      "select create_group('u1', 'g1', 'x')", "select record_workout('u1', 'w1')",
    ] { _ = try await connection.sql(call, in: .standard) }
    try await gymrats.succeed("worker", "--until-idle")
    #expect(try await text("select count(*) > 0 from standing", connection) == "t")
    for program in [gymrats, whosthere] { try await program.succeed("roles", "drop") }
  }

  @Test(.sampled())
  func `letters of a Turkish database change no code, no token and no right`() async throws {
    let turkish = "locale_provider icu icu_locale 'tr' lc_collate 'C' lc_ctype 'C' encoding 'UTF8'"
    try await with(turkish) { gymrats, whosthere, connection in
      // Without this property of the locale, the test would test nothing.
      try #require(try await text("select upper('i') || lower('I')", connection) == "İı")
      // A publication of all tables stops no write.
      try await connection.script(
        Statement("test/publish", "create publication everything for all tables"))
      try await expectWorking(gymrats, whosthere, connection)
      #expect(
        try await text("select whosthere.read_code('i234abcdi234abcd')", connection)
          == "1234ABCD1234ABCD")
      let token = "ABCDEF0123456789abcdef0123456789"
      _ = try await connection.sql("select create_invite('u1', 'g1', '\(token)')", in: .standard)
      #expect(
        try await text("select invite_of(upper('\(token)' collate \"C\")) is not null", connection)
          == "t")
    }
  }

  @Test(.sampled())
  func `a publication that stops writes is refused, and a running worker waits for its end`()
    async throws
  {
    try await with("encoding 'UTF8'") { gymrats, _, connection in
      try await gymrats.succeed("migrate")
      for table in ["run_history", "run (id, job)", "run where (priority < 5)"] {
        let harmless = "create publication harmless for table gymrats.\(table)"
        try await connection.script(
          Statement("test/publish", "\(harmless) with (publish = 'insert')"))
        try await gymrats.succeed("check")
        try await connection.script(Statement("test/drop", "drop publication harmless"))
      }
      let worker = try gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("the worker") {
        try await text("select count(*) from gymrats.worker", connection) == "1"
      }
      let priority = "create publication f for table gymrats.run where (priority < 5)"
      let identity = "alter table gymrats.run replica identity nothing"
      for (begin, middle, end) in [
        (priority, "publication f of the table gymrats.run", "drop publication f"),
        (
          "\(identity); create publication f for table gymrats.run",
          "which has no replica identity",
          "drop publication f; alter table gymrats.run replica identity default"
        ),
      ] {
        for statement in begin.split(separator: "; ") {
          try await connection.script(Statement("test/publish", String(statement)))
        }
        for command in [["migrate"], ["migrate", "--plan"], ["check"]] {
          let ended = try await gymrats.start(command).wait()
          #expect(ended.status == 78, "\(command)")
          #expect((ended.output + ended.errors).contains(middle), "\(ended.output) \(ended.errors)")
        }
        let id = try await text("select gymrats.enqueue('retention', 'scheduled')", connection)
        // The job has no history, so a run that has ended has no state.
        let state = """
          select coalesce(gymrats.run_state(\(id), 'retention', 'scheduled') ->> 'state', 'ended')
          """
        // The worker ended with its first statement that was refused.
        try await Task.sleep(for: .seconds(1))
        #expect(worker.isRunning, "\(worker.errorsSoFar)")
        #expect(try await text(state, connection) != "ended")
        for statement in end.split(separator: "; ") {
          try await connection.script(Statement("test/drop", String(statement)))
        }
        try await eventually("the run has ended") {
          try await text(state, connection) == "ended"
        }
      }
      try await gymrats.succeed("check")
      worker.signal(SIGTERM)
      #expect(try await worker.wait(within: .seconds(10)).status == 0)
    }
  }

  @Test(.sampled()) func `settings of the database change no result`() async throws {
    try await with("encoding 'UTF8'") { gymrats, whosthere, connection in
      let name = try await text("select quote_ident(current_database())", connection)
      for setting in [
        "default_tablespace = 'pg_default'", "datestyle = 'SQL, DMY'",
        "intervalstyle = 'sql_standard'", "timezone = 'Asia/Tokyo'", "bytea_output = 'escape'",
        "extra_float_digits = -15", "array_nulls = off", "transform_null_equals = on",
        "standard_conforming_strings = off", "backslash_quote = off", "row_security = off",
        "client_encoding = 'LATIN1'", "default_transaction_isolation = 'serializable'",
        "default_transaction_deferrable = on", "check_function_bodies = off",
        "plpgsql.variable_conflict = 'use_column'", "plpgsql.extra_errors = 'all'",
        "enable_seqscan = off", "enable_indexscan = off", "work_mem = '64kB'",
        "plan_cache_mode = 'force_generic_plan'", "default_toast_compression = 'pglz'",
        "quote_all_identifiers = on", "search_path = 'pg_temp, public'",
      ] {
        try await connection.script(
          Statement("test/set", "alter database \(name) set \(setting)"))
      }
      try await expectWorking(gymrats, whosthere, connection)
    }
  }

  @Test(.sampled()) func `a login for which no trigger fires is refused`() async throws {
    try await with("encoding 'UTF8'") { gymrats, whosthere, connection in
      let name = try await text("select quote_ident(current_database())", connection)
      try await whosthere.succeed("migrate")
      try await connection.script(
        Statement("test/set", "alter database \(name) set session_replication_role = 'replica'"))
      for (program, command) in [
        (gymrats, ["migrate"]), (gymrats, ["migrate", "--plan"]), (whosthere, ["migrate"]),
        (whosthere, ["migrate", "--plan"]), (whosthere, ["worker"]), (whosthere, ["check"]),
      ] {
        let ended = try await program.start(command).wait()
        #expect(ended.status == 78, "\(command)")
        #expect(ended.errors.contains("error: No trigger fires for this login"), "\(ended.errors)")
      }
      #expect(
        try await text("select count(*) from pg_namespace where nspname = 'gymrats'", connection)
          == "0")
      try await connection.script(
        Statement("test/set", "alter database \(name) reset session_replication_role"))
      try await gymrats.succeed("migrate")
      try await gymrats.succeed("check")
    }
  }

  @Test(.sampled())
  func
    `a login that cannot read views is refused, and settings that only matter to plain SQL are advice`()
    async throws
  {
    try await with("encoding 'UTF8'") { gymrats, _, connection in
      let name = try await text("select quote_ident(current_database())", connection)
      func change(_ change: String) async throws {
        try await connection.script(Statement("test/set", "alter database \(name) \(change)"))
      }
      try await gymrats.succeed("migrate")
      let known = "select count(*) from pg_settings where name = 'restrict_nonsystem_relation_kind'"
      // Older servers of each version lack the setting.
      if try await text(known, connection) == "1" {
        try await change("set restrict_nonsystem_relation_kind = 'view'")
        for command in [["migrate"], ["migrate", "--plan"], ["worker"], ["check"]] {
          let ended = try await gymrats.start(command).wait()
          #expect(ended.status == 78, "\(command)")
          #expect(ended.errors.contains("restrict_nonsystem_relation_kind"), "\(ended.errors)")
        }
        try await change("reset restrict_nonsystem_relation_kind")
      }
      try await change("set session_replication_role = 'origin'")
      try await change("set default_transaction_isolation = 'repeatable read'")
      let checked = try await gymrats.run("check")
      #expect(checked.status == 0, "\(checked.errors)")
      #expect(checked.output.contains("advice: default_transaction_isolation is repeatable read"))
      #expect(!checked.output.contains("session_replication_role"))
    }
  }

  @Test(.sampled(), arguments: ["LATIN1", "SQL_ASCII"])
  func `a database that lacks characters gets no schema`(encoding: String) async throws {
    let options = "encoding '\(encoding)' lc_collate 'C' lc_ctype 'C'"
    try await with(options) { gymrats, whosthere, connection in
      for program in [gymrats, whosthere] {
        for command in [["migrate"], ["migrate", "--plan"]] {
          let ended = try await program.start(command).wait()
          #expect(ended.status == 78 && ended.output == "", "\(ended.errors)")
          #expect(ended.errors.contains("the encoding \(encoding)"), "\(ended.errors)")
          #expect(ended.errors.contains("next:  Nothing was changed. Create a database"))
        }
      }
      #expect(
        try await text(
          "select count(*) from pg_namespace where nspname in ('gymrats', 'whosthere')", connection)
          == "0")
    }
  }
}
