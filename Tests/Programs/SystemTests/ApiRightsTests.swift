import BatonPostgres
import ChallengesSQL
import Foundation
import JobRunner
import TestSupport
import Testing

/// Tests what a login can do that may only execute the functions of the API, in a schema of
/// `gymrats migrate --api-role`.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ApiRightsTests {
  /// All tests share one schema, with a login that is a member of the schema's API role.
  private struct Place {
    let schema: Schema
    let owner, login: String
    let gymrats: BatonProgram

    static let shared = Task {
      let schema = try #require(Schema(RoleServer.name("gym")))
      let (owner, login) = (RoleServer.name("owner"), RoleServer.name("phones"))
      try await RoleServer.administer(
        "create role \(owner) login createrole", "grant create on database postgres to \(owner)")
      let gymrats = BatonProgram(environment: [
        "DATABASE_URL": try RoleServer.address(of: owner), "BATON_SCHEMA": schema.name,
      ])
      try await gymrats.succeed("migrate", "--api-role")
      try await RoleServer.administer(
        "create role \(login) login in role \(schema.apiRole)",
        // A schema in which the login may create objects with the names that functions resolve.
        "create schema \(login) authorization \(login)")
      return Place(schema: schema, owner: owner, login: login, gymrats: gymrats)
    }

    func connect(asOwner: Bool = false) async throws -> Caller {
      let role = asOwner ? owner : login
      return Caller(schema: schema, connection: try await RoleServer.connect(as: role))
    }
  }

  private struct Caller {
    let schema: Schema
    let connection: Connection

    func run(_ texts: String...) async throws {
      for text in texts { try await connection.script(Statement("test/run", text)) }
    }

    func rows(_ text: String) async throws -> [String] {
      let rows = Call<[String?]>.rows(Statement("test/rows \(text.hashValue)", text)) {
        (row) throws(PostgresError) in try row.decode(String?.self)
      }
      return try await connection.run(rows).map { $0 ?? "" }
    }

    /// Returns the SQLSTATE of each statement, or `done` for a success.
    ///
    /// All changes are rolled back.
    func tried(_ query: String) async throws -> [(what: String, state: String)] {
      try await run("begin", "set local search_path = \(schema), pg_temp", Self.tryIt)
      let tried = try await connection.run(
        .rows(
          Statement(
            "test/tried \(query.hashValue)",
            "select what, pg_temp.try_it(statement) from (\(query)) q (what, statement) order by 1")
        ) { (row) throws(PostgresError) in try row.decode(String.self, String.self) })
      try await run("rollback")
      return tried.map { (what: $0.0, state: $0.1) }
    }

    private static let tryIt = """
      create function pg_temp.try_it(statement text) returns text language plpgsql as $$
      begin
        execute statement;
        return 'done';
      exception when others then
        return sqlstate;
      end $$
      """
  }

  private func with(
    _ body: (_ place: Place, _ caller: Caller, _ owner: Caller) async throws -> Void
  ) async throws {
    let place = try await Place.shared.value
    let (caller, owner) = (try await place.connect(), try await place.connect(asOwner: true))
    try await body(place, caller, owner)
    await caller.connection.close()
    await owner.connection.close()
  }

  // MARK: What it can do

  @Test func `the whole way of a group, by calls alone, and every function of the API is on it`()
    async throws
  {
    try await with { place, caller, owner in
      try await caller.run("set search_path = \(place.schema)")
      var called: Set<String> = []
      func call(_ text: String) async throws -> String {
        called.formUnion(text.matches(of: /(\w+)\(/).map { String($0.1) })
        return try await caller.rows("select (\(text))::text").first ?? "nothing"
      }
      func id(_ name: String) async throws -> String {
        try await call("select id from upsert_user('apple', '\(name)', '\(name)')")
      }
      let (ann, ben) = (try await id("Ann"), try await id("Ben"))
      #expect(try await call("find_user('apple', 'Ann')") == ann)
      _ = try await call("create_group('\(ann)', 'early', 'Early birds')")
      let token = try await call("select token from create_invite('\(ann)', 'early')")
      #expect(
        try await call("select name from preview_invite('\(ben)', '\(token)')") == "Early birds")
      #expect(try await call("select group_id from join_group('\(ben)', '\(token)')") == "early")
      #expect(
        try await call("select outcome from record_workout('\(ben)', 'w1')") == "accepted")
      let board = try await call("select id from current_board('\(ben)', 'early', 'check-ins')")
      #expect(
        try await call("select outcome from increment_check_in('\(ben)', '\(board)', 'tap')")
          == "accepted")
      #expect(
        try await owner.rows("select distinct topic from \(place.schema).event order by 1")
          == ["entry.changed"])
      try await place.gymrats.succeed("worker", "--until-idle")
      #expect(
        try await call("select display_name || value from leaderboard('\(ann)', '\(board)')")
          == "Ben2")
      let streak = "update_streak('\(ben)', '\(board)', 3)"
      await expectSQLState("ZG014") { _ = try await call(streak) }
      #expect(
        try await call("select count(*) from notifications('\(ann)')") == "1")
      #expect(try await call("badge('\(ann)')") == "1")
      #expect(
        try await call("mark_read('\(ann)', array(select id from notifications('\(ann)')))") == "1")
      for calls in [
        "select count(*) from current_week_challenges('\(ann)', 'early')",
        "select count(*) from get_members('\(ann)', 'early')",
        "select name from get_group('\(ann)', 'early')", "select id from get_user('\(ann)')",
        "select count(*) from list_invites('\(ann)', 'early')",
        "select outcome from delete_workout('\(ben)', 'w1')",
        "select name from update_group('\(ann)', 'early', 'Early birds')",
        "promote('\(ann)', 'early', '\(ben)')", "mute_group('\(ann)', 'early', true)",
        "select count(*) from running_boards(array['early'], array['check-ins'])",
        "select count(*) from changed_boards(array['\(board)']::uuid[], array[0], array[0], current_date)",
        "select count(*) from refused_viewers(array['\(ann)'], array['early'])",
        "select count(*) from observed_badges(array['\(ann)'])",
        "create_stream_ticket(sha256('t'), '{}')", "redeem_stream_ticket(sha256('t'))",
        "observe('boards')", "stop_observing()",
        "report_client_event('\(ann)', gen_random_uuid(), 'link_failed')", "is_beta('\(ann)')",
        "block_user('\(ann)', '\(ben)')", "select count(*) from blocked_users('\(ann)')",
        "unblock_user('\(ann)', '\(ben)')", "select export_my_data('\(ann)')::text",
        "report_user('\(ann)', gen_random_uuid(), 'early', '\(ben)', 'spam', '')",
        "hold_session('\(ann)', null)", "register_push_device('\(ann)', 'fcm', 'token')",
        "select count(*) from push_devices('\(ann)')",
        "set_push_settings('\(ann)', '{new_member}')",
        "select muted from push_settings('\(ann)')", "remove_push_device('\(ann)', 1)",
        "update_profile('\(ann)', 'Anna', null)", "set_time_zone('\(ann)', 'Europe/Oslo')",
        "update_privacy_settings('\(ann)', false)", "update_privacy_settings('\(ann)', true)",
        "revoke_invite('\(ann)', (select id from list_invites('\(ann)', 'early')))",
        "select length(token) from begin_session('\(ann)', 'Phone')",
        "select count(*) from refresh_session('none')",
        "end_session('\(ann)', gen_random_uuid())", "end_sessions('\(ann)')",
        "leave_group('\(ann)', 'early')", "delete_group('\(ben)', 'early')",
        "delete_account('\(ben)')",
      ] { _ = try await call(calls) }
      _ = try await call("create_group('\(ann)', 'late', 'Late birds')")
      let cem = try await id("Cem")
      let other = try await call("select token from create_invite('\(ann)', 'late')")
      _ = try await call("join_group('\(cem)', '\(other)')")
      _ = try await call("remove_member('\(ann)', 'late', '\(cem)')")
      #expect(SQL.challenges.api.filter { !called.contains($0) } == [])
      #expect(
        try await place.gymrats.succeed("check").hasPrefix(
          "the role \(place.schema.apiRole) may call \(SQL.challenges.api.count) functions; no other role was granted any\n"
        ))
    }
  }

  // MARK: What it cannot do

  @Test func `no function but those of the API, not even by a trigger`() async throws {
    try await with { place, caller, owner in
      let all = """
        select f.proname::text, format('select %s(%s)', f.oid::regproc, (
          -- A strict function of a plain null is not called, and so not refused either.
          select string_agg(format('(select null::%s)', format_type(t, null)), ', ')
          from unnest(f.proargtypes) t))
        from pg_proc f where f.pronamespace = '\(place.schema)'::regnamespace
        """
      let refused = try await caller.tried(all).filter { $0.state == "42501" }.map(\.what)
      let possible = try await owner.tried(all)
      #expect(possible.count > 100 && possible.allSatisfy { $0.state != "42501" })
      let rest = possible.map(\.what).filter { !SQL.challenges.api.contains($0) }
      #expect(refused == rest && rest.count == possible.count - SQL.challenges.api.count)
      // The trigger would record events with any topic, from the attacker's own table.
      let trigger = """
        select 'trigger', 'create temp table shelf (id text);
          create trigger t after insert on shelf referencing new table as new_row
          for each statement execute function record_events(''entry.changed'', ''id'')'
        """
      #expect(try await caller.tried(trigger).map(\.state) == ["42501"])
      #expect(try await owner.tried(trigger).map(\.state) == ["done"])
    }
  }

  @Test func `no table, view or sequence, neither read nor written`() async throws {
    try await with { place, caller, owner in
      let all = """
        select concat_ws(' ', c.relname, c.relkind, a.verb), format(a.statement, c.relname, (
          select t.attname from pg_attribute t
          where t.attrelid = c.oid and t.attnum > 0 and t.attidentity = '' and t.attgenerated = ''
          order by t.attnum limit 1))
        from pg_class c
        cross join (values ('select', 'select from %1$I'), ('insert', 'insert into %1$I default values'),
          ('update', 'update %1$I set %2$I = null where false'), ('delete', 'delete from %1$I where false'),
          ('truncate', 'truncate %1$I cascade'), ('next', 'select nextval(''%1$I'')')) a (verb, statement)
        where c.relnamespace = '\(place.schema)'::regnamespace
          and case c.relkind when 'S' then a.verb in ('select', 'next')
            when 'v' then a.verb = 'select'
            else c.relkind in ('r', 'p') and a.verb <> 'next' end
        """
      let tried = try await caller.tried(all)
      #expect(tried.count > 250)
      #expect(tried.filter { $0.state != "42501" }.map(\.what) == [])
      #expect(try await owner.tried(all).filter { $0.state == "42501" }.map(\.what) == [])
      // The rights also cover writable views, and single columns.
      #expect(
        try await owner.rows(
          """
          select relname from pg_class c where relnamespace = '\(place.schema)'::regnamespace
            and relkind in ('r', 'p', 'v', 'S') and (
              case when relkind = 'S' then has_sequence_privilege('\(place.login)', c.oid, 'usage, select, update')
              else has_any_column_privilege('\(place.login)', c.oid, 'select, insert, update, references')
                or has_table_privilege('\(place.login)', c.oid, 'delete, truncate, trigger') end)
          """) == [])
    }
  }

  @Test func `it becomes nobody else, and makes nothing in the schema`() async throws {
    try await with { place, caller, _ in
      let name = place.owner
      for statement in [
        "set role \(name)", "set role postgres", "set session authorization \(name)",
        "create table \(place.schema).users2 (id text)", "create schema more",
        "create function \(place.schema).f() returns int language sql return 1",
        "alter function \(place.schema).create_group owner to \(place.login)",
        "grant execute on function \(place.schema).add_member to \(place.login)",
        "alter role \(place.login) createrole", "grant \(name) to \(place.login)",
        "set session_replication_role = replica",
      ] {
        let error = await #expect(throws: PostgresError.self, "\(statement)") {
          try await caller.run(statement)
        }
        #expect(error?.sqlState == "42501", "\(statement): \(String(describing: error))")
      }
    }
  }

  @Test func `names of its own in front of ours fool no function of the API`() async throws {
    try await with { place, caller, owner in
      let tables = [
        "users", "groups", "member", "active_group", "setting", "challenge", "entry", "workout",
        "invite", "identity", "event_0", "event_1", "event_2", "event_target",
      ]
      // A read or a write of one of these objects would execute its function with the rights of
      // another role.
      for schema in [place.login, "pg_temp"] {
        for table in tables {
          try await caller.run("create table \(schema).\(table) (id text, user_id text)")
        }
        for function in [
          "domain_now() returns timestamptz", "require_actor(actor text) returns void",
          "check_name(id text, name text) returns void", "week_of(at timestamptz) returns date",
          "append_events(topic text, keys text[]) returns void",
          "sha256(value bytea) returns bytea",
        ] {
          try await caller.run(
            """
            create function \(schema).\(function) language plpgsql as $$
            begin raise exception 'fooled by %', current_user using errcode = 'FOOLD'; end $$
            """)
        }
      }
      for path in [
        "pg_temp, \(place.login), \(place.schema)", "\(place.login), pg_catalog, \(place.schema)",
      ] {
        try await caller.run("set search_path = \(path)")
        let subject = RoleServer.name("eve")
        let own = "\(place.schema)."
        let eve = try #require(
          try await caller.rows("select id from \(own)upsert_user('apple', '\(subject)', 'Eve')")
            .first)
        for call in [
          "create_group('\(eve)', '\(subject)', 'G')", "create_invite('\(eve)', '\(subject)')",
          "record_workout('\(eve)', 'w')", "delete_workout('\(eve)', 'w')",
          "current_week_challenges('\(eve)', '\(subject)')",
          "set_time_zone('\(eve)', 'Asia/Tokyo')",
          "update_profile('\(eve)', 'Eva', null)", "leave_group('\(eve)', '\(subject)')",
        ] { _ = try await caller.rows("select \(own)\(call)::text") }
        #expect(
          try await owner.rows("select display_name from \(own)users where id = '\(eve)'")
            == ["Eva"])
        #expect(
          try await owner.rows("select name from \(own)groups where id = '\(subject)'") == ["G"])
      }
      for schema in [place.login, "pg_temp"] {
        for table in tables {
          #expect(try await caller.rows("select 'a row' from \(schema).\(table)") == [])
        }
      }
    }
  }
}
