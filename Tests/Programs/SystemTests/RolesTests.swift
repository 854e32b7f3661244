import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests the roles of a schema: creating, using, keeping and dropping them.
@Suite(.timeLimit(.minutes(5))) struct RolesTests {
  @Test func `they are made once, and migrate and check find them right`() async throws {
    let place = try await RolePlace.make(hasRoles: false)
    let plan = try await place.gymrats().succeed("roles", "create", "--plan")
    #expect(plan.contains("create role \(place.role("worker")) login noinherit;"))
    #expect(plan.contains("alter table users owner to \(place.role("owner"));"))
    #expect(try await place.rows("select count(*)::text from access") == ["0"])
    let made = try await place.gymrats().succeed("roles", "create")
    #expect(made == "schema \(place.schema): the roles \(place.schema)_... are ready\n")
    let administrator = try place.gymrats(as: "postgres")
    #expect(
      try await administrator.succeed("roles", "create")
        == "schema \(place.schema): nothing to do\n")
    #expect(try await administrator.succeed("roles", "create", "--plan") == "-- nothing to do\n")
    // The grants of a part have changed, although its objects have not.
    try await place.run(
      "update access_object set made_by = '' where object = 'part challenges'")
    #expect(try await administrator.succeed("roles", "create", "--plan").contains("grant select"))
    try await administrator.succeed("roles", "create")
    #expect(try await administrator.succeed("roles", "create", "--plan") == "-- nothing to do\n")
    #expect(
      try await place.gymrats(as: "migrator").succeed("migrate")
        == "schema \(place.schema): nothing to do\n")
    #expect(try await place.rows("select prefix from access") == [place.schema.name])
    #expect(
      try await place.rows("select login || ' ' || action from audit where action like 'roles%'")
        == ["\(place.maker) roles create", "postgres roles create"])
    // The login that created the roles no longer has access.
    expectComplaint(
      try await place.gymrats().run("runs", "list"), status: 77, what: "permission denied",
      place: "DATABASE_URL", next: "operator")
  }

  @Test func `a worker works as worker, the back end calls as api and an operator looks on`()
    async throws
  {
    let place = try await RolePlace.make()
    func call(_ text: String) async throws -> String {
      try await place.rows("select (\(text))::text", as: "api").first ?? "nothing"
    }
    let ann = try await call("select id from upsert_user('apple', 'Ann', 'Ann')")
    _ = try await call("create_group('\(ann)', 'early', 'Early birds')")
    let token = try await call("select token from create_invite('\(ann)', 'early')")
    let ben = try await call("select id from upsert_user('apple', 'Ben', 'Ben')")
    _ = try await call("select group_id from join_group('\(ben)', '\(token)')")
    #expect(try await call("select outcome from record_workout('\(ben)', 'w1')") == "accepted")
    try await place.gymrats(as: "worker").succeed("worker", "--until-idle")
    let board = try await call("select id from current_board('\(ben)', 'early', 'check-ins')")
    #expect(
      try await call("select display_name || value from leaderboard('\(ann)', '\(board)')")
        == "Ben1")
    #expect(
      try await call("select outcome from delete_workout('\(ben)', 'w1')") == "accepted")
    #expect(try await call("select outcome from record_workout('\(ben)', 'w2')") == "accepted")
    // A worker may not delete this object.
    try await place.run(
      """
      insert into challenge (id, group_id, week_start, type, state, closed_at)
      values (gen_random_uuid(), 'early', date_trunc('week', now() at time zone 'UTC')::date - 140, 'streak',
        'closed', now() - interval '130 days')
      """)
    // `RoleCommandTests` execute more commands with each role.
    let jobs = [
      "close-week", "open-week", "notify-rank-changes", "verify-boards", "purge-runs",
      "recompute-ranks", "resync-boards",
    ]
    for job in Randomness.sample(1, of: jobs) + ["retention"] {
      try await place.gymrats(as: "worker").succeed("run", job)
      try await place.gymrats(as: "operator").succeed("run", job)
    }
    // The worker role may read devices and notifications. No device has this id.
    try await place.gymrats(as: "worker").succeed("run", "push-notification", "--key", "0/1")
    #expect(
      try await place.rows("select count(*)::text from challenge where state = 'closed'") == ["0"])
    try await place.gymrats(as: "worker").succeed("run", "retention", "--dry-run")
    let operators = try place.gymrats(as: "operator")
    let commands = [
      ["check"], ["groups"], ["group", "early"], ["board", "early"], ["week", "status"],
      ["verify"], ["verify", "--fix"], ["analytics"], ["notifications"], ["jobs"],
      ["runs", "list"], ["schedule", "list"], ["explain-rank", "Ben"],
      ["jobs", "pause", "retention"], ["jobs", "resume", "retention"],
      ["schedule", "pause", "retention"], ["schedule", "resume", "retention"],
      ["enqueue", "recompute-ranks", "--key", board],
    ]
    for command in Randomness.sample(5, of: commands) { try await operators.succeed(command) }
    for kind in ["migrator", "worker"] { try await place.gymrats(as: kind).succeed("check") }
    try await place.run("delete from notification")
    _ = try await call("delete_account('\(ben)')")
    _ = try await call("delete_group('\(ann)', 'early')")
    try await place.gymrats(as: "worker").succeed("worker", "--until-idle")
  }

  @Test func `what a role may not see is said to be unseen, and nobody is taken for missing by it`()
    async throws
  {
    let place = try await RolePlace.make()
    let login = RoleServer.name("service")
    try await RoleServer.administer(
      "create role \(login) login in role \(place.role("worker"))",
      "alter role \(login) set role = '\(place.role("worker"))'")
    let worker = try BatonProgram(environment: [
      "DATABASE_URL": try RoleServer.address(of: login), "BATON_SCHEMA": place.schema.name,
    ]).start("worker")
    try await eventually("a worker") {
      try await place.rows("select id::text from worker").count == 1
    }
    // Such a login may not read the start of its own server process.
    #expect(try await place.rows("select is_direct::text from worker") == ["false"])
    #expect(try await place.rows("select count(*)::text from missing_worker") == ["0"])

    let ann = try await place.rows("select id from upsert_user('apple', 'Ann', 'Ann')", as: "api")[
      0]
    try await place.rows("select id from create_group('\(ann)', 'early', 'Early')", as: "api")
    try await place.rows("select outcome::text from record_workout('\(ann)', 'w1')", as: "api")
    let holder = try await place.connect(as: "api")
    try await holder.transaction(in: place.schema) { transaction in
      let record = "select record_workout('\(ann)', 'w2')"
      try await transaction.run(.run(Statement("test/record", record)))
      let status = try await place.gymrats(as: "operator").succeed("week", "status")
      #expect(
        status.contains("of \(place.role("api")), for a time that this role may not see"),
        "\(status)")
    }
    await holder.close()
    worker.signal(SIGTERM)
    try await worker.end(with: 0)
  }

  @Test func `what was granted or changed by hand is found by check and put right by migrate`()
    async throws
  {
    let place = try await RolePlace.make()
    let changes = [
      ("grant update (value) on entry to \(place.role("worker"))", "table entry"),
      ("alter policy worker_tells on notification with check (true)", "policy worker_tells"),
      ("drop policy self on users", "policy self on users"),
      ("alter table workout no force row level security", "table workout"),
      ("alter function record_workout owner to \(place.role("owner"))", "function record_workout"),
      ("grant execute on function reopen_week to \(place.role("user"))", "function reopen_week"),
    ]
    for (number, (change, said)) in Randomness.sample(2, of: changes).enumerated() {
      try await place.run(change)
      let found = try await place.gymrats(as: "operator").run("check")
      #expect(found.status == 78 && found.errors.contains(said), "\(change): \(found)")
      let migrator = try place.gymrats(as: "migrator")
      // The output does not depend on the change, so one change is sufficient.
      if number == 0 {
        let json = try await place.gymrats(as: "operator").run("check", "--json")
        #expect(json.status == 78 && json.output.contains(#""severity":"critical""#), "\(json)")
      }
      #expect(
        try await migrator.succeed("migrate", "--plan").contains("set search_path"), "\(change)")
      try await migrator.succeed("migrate")
      if number == 0 {
        #expect(try await migrator.succeed("migrate", "--plan") == "-- nothing to do\n")
      }
      try await place.gymrats(as: "operator").succeed("check")
    }
  }

  @Test func `names of tables and policies that need quotes do not stop migrate`() async throws {
    let place = try await RolePlace.make()
    try await place.run(
      #"create policy "Users ""can"" read" on member using (true)"#,
      #"create table "order" (id integer primary key)"#,
      #"alter table "order" owner to \#(place.role("owner"))"#)
    let migrator = try place.gymrats(as: "migrator")
    try await migrator.succeed("migrate")
    #expect(
      try await place.rows("select polname from pg_policy where polname like 'Users%'") == [])
    #expect(
      try await place.rows(
        #"select polname from pg_policy where polrelid = '"order"'::regclass and polcmd = '*'"#)
        == ["all_rows"])
    #expect(try await migrator.succeed("migrate", "--plan") == "-- nothing to do\n")
  }

  @Test func `objects of an extension in the schema keep their owner and their rights`()
    async throws
  {
    let place = try await RolePlace.make()
    try await place.run(
      "create table parcel (id integer primary key)",
      "create function parcels() returns integer language sql return 1",
      "revoke execute on function parcels() from public",
      "alter extension plpgsql add table parcel",
      "alter extension plpgsql add function parcels()",
      // Without a difference, `migrate` sets no rights.
      "grant update (value) on entry to \(place.role("worker"))")
    let migrator = try place.gymrats(as: "migrator")
    try await migrator.succeed("migrate")
    #expect(
      try await place.rows(
        """
        select relowner::regrole || ' ' || relrowsecurity || ' ' || coalesce(relacl::text, 'default')
        from pg_class where oid = 'parcel'::regclass
        """) == ["postgres false default"])
    #expect(try await migrator.succeed("migrate", "--plan") == "-- nothing to do\n")
    try await place.run(
      "alter extension plpgsql drop table parcel",
      "alter extension plpgsql drop function parcels()")
  }

  @Test(.sampled())
  func `a prefix that another database or somebody has is refused, and nothing is changed`()
    async throws
  {
    let place = try await RolePlace.make(hasRoles: false)
    let other = RoleServer.name("other")
    try await RoleServer.administer("create role \(other)_worker")
    expectComplaint(
      try await place.gymrats().run("roles", "create", "--prefix", other), status: 78,
      what: "The role \(other)_worker exists and belongs to somebody", place: "the server",
      next: "--prefix")
    expectComplaint(
      try await place.gymrats().run(
        "roles", "create", "--prefix", String(repeating: "x", count: 41)),
      status: 64, what: "cannot be a prefix of role names", place: "--prefix", next: "at most 40")
    #expect(try await place.rows("select count(*)::text from access") == ["0"])
    // The schema with the same name in another database.
    let database = RoleServer.name("other")
    try await RoleServer.administer("create database \(database) owner \(place.maker)")
    let elsewhere = BatonProgram(environment: [
      "DATABASE_URL": try RoleServer.address(of: place.maker, in: database),
      "BATON_SCHEMA": place.schema.name,
    ])
    try await elsewhere.succeed("migrate")
    try await elsewhere.succeed("roles", "create", "--prefix", "\(place.maker)_b")
    expectComplaint(
      try await place.gymrats().run("roles", "create", "--prefix", "\(place.maker)_b"), status: 78,
      what: "belongs to database \(database)", place: "the server", next: "--prefix")
    try await place.gymrats().succeed("roles", "create", "--prefix", place.maker)
    #expect(
      try await place.rows("select rolname from pg_roles where rolname = '\(place.maker)_worker'")
        == ["\(place.maker)_worker"])
    expectComplaint(
      try await place.gymrats(as: "postgres").run("roles", "create", "--prefix", place.schema.name),
      status: 64,
      what: "The schema has roles already", place: "schema \(place.schema)", next: "roles drop")
  }

  @Test func `a login that may not create roles gets an error, and nothing changes`() async throws {
    let place = try await RolePlace.make(hasRoles: false)
    try await RoleServer.administer("alter role \(place.maker) nocreaterole")
    expectComplaint(
      try await place.gymrats().run("roles", "create"), status: 77,
      what: "\(place.maker) may not make roles", place: "schema \(place.schema)", next: "CREATEROLE"
    )
    let roles = try await place.rows(
      "select count(*)::text from pg_roles where rolname like '\(place.schema)\\_%'")
    #expect(roles == ["0"])
    #expect(try await place.rows("select count(*)::text from access") == ["0"])
  }

  @Test(.sampled())
  func `they are dropped when nobody needs them, and the maker owns everything again`()
    async throws
  {
    let place = try await RolePlace.make()
    let phones = RoleServer.name("phones")
    try await RoleServer.administer("create role \(phones) login in role \(place.role("api"))")
    let maker = try place.gymrats()
    // The creator is no longer a member, so an administrator drops the roles.
    expectComplaint(
      try await maker.run("roles", "drop"), status: 77, what: "permission denied",
      place: "DATABASE_URL", next: "migrator")
    let administrator = try place.gymrats(as: "postgres")
    expectComplaint(
      try await administrator.run("roles", "drop"), status: 78,
      what: "\(phones) is a member of \(place.role("api"))", place: "schema \(place.schema)",
      next: "End these uses first")
    try await RoleServer.administer("drop role \(phones)")
    #expect(try await administrator.succeed("roles", "drop", "--dry-run").contains("drop role "))
    try await administrator.succeed("roles", "drop")
    #expect(
      try await place.rows(
        "select count(*)::text from pg_roles where rolname like '\(place.schema)\\_%'")
        == ["0"])
    #expect(
      try await place.rows("select action from audit where login = 'postgres'") == ["roles drop"])
    try await administrator.succeed("migrate")
    try await administrator.succeed("worker", "--until-idle")
    try await administrator.succeed("check")
  }
}
