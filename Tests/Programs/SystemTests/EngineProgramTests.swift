import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests the program `baton`, which contains no code of jobs, with schemas of other programs.
@Suite(.timeLimit(.minutes(5)))
struct EngineProgramTests {
  private static func baton(
    _ schema: TestSchema, named: String? = nil
  ) throws -> BatonProgram {
    var environment = ["DATABASE_URL": schema.configuration.address]
    environment["BATON_SCHEMA"] = named
    return BatonProgram(executable: try BatonProgram.path(of: "baton"), environment: environment)
  }

  /// Returns all objects that a program created in the schema.
  private static func objects(_ schema: TestSchema) async throws -> [String] {
    try await schema.sql(
      """
      select p.oid::regprocedure::text || md5(p.prosrc) from pg_proc p
      where p.pronamespace = current_schema()::regnamespace
      union all
      select c.relname || c.relkind::text from pg_class c
      where c.relnamespace = current_schema()::regnamespace
      order by 1
      """)
  }

  @Test(.sampled())
  func `baton finds and operates a schema of GymRats, and drops nothing`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let before = try await Self.objects(schema)
      let baton = try Self.baton(schema)
      for command in [
        ["check"], ["jobs"], ["jobs", "--json"], ["runs"], ["runs", "history"], ["schedule"],
        ["schedule", "next", "close-week"], ["audit"], ["roles", "create", "--plan"],
        ["jobs", "pause", "close-week"], ["jobs", "resume", "close-week"],
        ["enqueue", "verify-boards", "--key", "scheduled"],
      ] {
        try await baton.succeed(command)
      }
      for command in [["status"], ["doctor"], ["top", "--count", "1"]] {
        let ended = try await baton.start(command).wait()
        #expect([0, 1, 2].contains(ended.status), "\(command): \(ended.errors)")
      }
      #expect(try await Self.objects(schema) == before)
      // A program that contains the code processes the enqueued run.
      try await schema.gymrats.succeed("worker", "--until-idle")
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
    }
  }

  @Test(.sampled())
  func `the jobs that it lists are those that the program with the code lists`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let listed = try await Self.baton(schema).succeed("jobs")
      #expect(try await schema.gymrats.succeed("jobs") == listed)
      #expect(listed.contains("close-week") && listed.contains("every 0.25 seconds"), "\(listed)")
      var details = ""
      for job in ["close-week", "recompute-ranks", "purge-runs"] {
        let shown = try await Self.baton(schema).succeed("jobs", "show", job)
        #expect(try await schema.gymrats.succeed("jobs", "show", job) == shown)
        details += shown
      }
      for part in [
        "close-week\n  program   gymrats\n", "batch     500 runs, ", "retry     25 attempts, ",
        "every 0.25 seconds, the first at once",
      ] {
        #expect(details.contains(part), "\(part)")
      }
      #expect(!details.contains("unknown"))
    }
  }

  @Test(.sampled()) func `check says what it looked at, and which program compares the code`()
    async throws
  {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let baton = try Self.baton(schema)
      let said = try await baton.succeed("check")
      #expect(said.contains("part challenges is not known to this binary and left alone"))
      #expect(said.hasSuffix("`gymrats check` compares its jobs with their code\n"))
      try await schema.sql("drop trigger grace_changed on setting")
      expectComplaint(
        try await baton.run("check"), status: 78, what: "grace_changed on setting is missing",
        place: "triggers", next: "of the program that has the jobs")
    }
  }

  @Test(.sampled()) func `weeks that are late are a warning of baton status too`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      try await schema.sql("insert into groups (id, name) values ('g', 'g')")
      try await schema.sql(
        """
        insert into challenge (id, group_id, week_start, type)
        values (gen_random_uuid(), 'g', date_trunc('week', now() at time zone 'UTC')::date - 21, 'streak')
        """)
      let ended = try await Self.baton(schema).run("status", "--workers", "0")
      #expect(ended.status == 1, "\(ended.errors)")
      #expect(ended.output.contains("warning: week_closes_due_seconds is"), "\(ended.output)")
      #expect(ended.output.contains("gymrats week status"))
    }
  }

  @Test(.sampled(), arguments: ["dev", "migrate", "worker", "run", "bench"])
  func `what needs code names the program that has it`(command: String) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      expectComplaint(
        try await Self.baton(schema).start([command, "close-week", "--json"]).wait(), status: 64,
        what: "does not contain the jobs' code", place: "baton \(command)",
        next: "`gymrats \(command)`")
    }
    let nowhere = BatonProgram(
      executable: try BatonProgram.path(of: "baton"),
      environment: ["DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"])
    expectComplaint(
      try await nowhere.run(command), status: 64, what: "does not contain the jobs' code",
      place: "baton \(command)", next: "PROGRAM \(command)")
  }

  @Test(.sampled())
  func `without a schema it ends with 66, with several with 64 and their names`()
    async throws
  {
    try await TestSchema.with(migrated: false) { schema in
      let baton = try Self.baton(schema)
      let first = "one_\(UInt32.random(in: .min ... .max))"
      let second = "two_\(UInt32.random(in: .min ... .max))"
      let own = BatonProgram(environment: ["DATABASE_URL": schema.configuration.address])
      func migrate(_ name: String) async throws {
        var program = own
        program.environment["BATON_SCHEMA"] = name
        try await program.succeed("migrate")
      }
      let count = try await schema.sql(
        "select count(*) from pg_class where relname = 'schema_part' and relkind = 'r'")
      if count == ["0"] {
        expectComplaint(
          try await baton.run("jobs"), status: 66, what: "no schema of Baton",
          place: "DATABASE_URL", next: "migrate")
      }
      try await migrate(first)
      try await migrate(second)
      let ended = try await baton.run("jobs")
      expectComplaint(
        ended, status: 64, what: "several schemas of Baton", place: "DATABASE_URL",
        next: "BATON_SCHEMA=")
      #expect(ended.errors.contains(first) && ended.errors.contains(second))
      let named = try Self.baton(schema, named: second)
      #expect(try await named.succeed("jobs", "show", "close-week").contains("program   gymrats"))
      try await schema.sql("drop schema \(first) cascade")
      try await schema.sql("drop schema \(second) cascade")
    }
  }

  @Test(.sampled()) func `roles that it makes have the rights of the product's parts too`()
    async throws
  {
    let place = try await RolePlace.make(hasRoles: false)
    var baton = BatonProgram(executable: try BatonProgram.path(of: "baton"))
    baton.environment = try place.gymrats().environment
    try await baton.succeed("roles", "create")
    let plan = try await place.gymrats(as: "postgres").succeed("roles", "create", "--plan")
    #expect(plan == "-- nothing to do\n")
    try await place.gymrats(as: "operator").succeed("check")
    let granted = try await place.rows(
      "select has_table_privilege('\(place.role("dashboard"))', 'challenges_gauges', 'select')::text"
    )
    #expect(granted == ["true"])
    // The roles were dropped and created again, without a program that contains the product's
    // parts.
    baton.environment = try place.gymrats(as: "postgres").environment
    try await baton.succeed("roles", "drop")
    try await baton.succeed("roles", "create")
    try await place.gymrats(as: "operator").succeed("check")
  }

  @Test func `its help names the operator's commands, and none of a product`() async throws {
    let baton = BatonProgram(executable: try BatonProgram.path(of: "baton"))
    let help = try await baton.succeed("--help")
    for command in ["init", "db", "status", "doctor", "runs", "roles", "serve"] {
      #expect(help.contains("\n  \(command) "), "\(command)")
    }
    for command in ["board", "week", "replay", "present"] {
      #expect(!help.contains("\n  \(command) "), "\(command)")
    }
    #expect(help.contains("the only one of Baton in the database"))
  }

  @Test(.sampled()) func `serve starts during an outage if BATON_SCHEMA is set`() async throws {
    #if HTTP
      var baton = BatonProgram(
        executable: try BatonProgram.path(of: "baton"),
        environment: ["DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none"])
      let serve = ["serve", "--http", "127.0.0.1:0"]
      expectComplaint(
        try await baton.start(serve).wait(), status: 69, what: "", place: "DATABASE_URL",
        next: "Start the server")
      let help = try await baton.succeed("serve", "--help").replacing(/\s+/, with: " ")
      #expect(help.contains("the command needs BATON_SCHEMA"), "\(help)")
      baton.environment["BATON_SCHEMA"] = "orders"
      let process = try baton.start(serve)
      defer { process.signal(SIGKILL) }
      let client = try await process.httpClient()
      try await eventually("the outage in the health check") {
        let answer = try await client.get("/health/ready")
        return answer.status == 503 && answer.body.contains("unreachable")
      }
    #endif
  }

  @Test(.sampled()) func `its dashboard and its metrics show the schema of GymRats`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let program = try Self.baton(schema).start(["serve", "--http", "127.0.0.1:0"])
      defer { program.signal(SIGTERM) }
      let site = try await program.httpClient()
      #expect(try await site.get("/jobs").body.contains("close-week"))
      let job = try await site.get("/api/jobs/close-week").body
      #expect(job.contains(#""program":"gymrats""#) && job.contains(#""kind":"step""#), "\(job)")
      #expect(try await site.get("/metrics").body.contains("baton_week_closes_due 0"))
    }
  }
}
