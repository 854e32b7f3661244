import BatonPostgres
import Foundation
import TestSupport
import Testing

/// The operations that each identity can execute on each table and function of a schema with roles.
///
/// The test executes the operations.
struct AccessMatrix {
  /// An identity that can connect to the database.
  struct Identity {
    let name: String
    /// The kind of the login role.
    let login: String
    /// The kind of the role that the session assumes, and the user in the claim.
    var role: String?
    var user: String?
  }

  let place: RolePlace
  let people: [String: String]

  static let names = [
    "anon", "no identity", "self", "peer", "admin", "admin of another group", "inactive", "removed",
    "deleted user", "authenticator", "api", "worker", "retention", "operator", "dashboard",
    "migrator", "owner", "definer",
  ]

  private func identity(_ name: String) -> Identity {
    switch name {
    case "anon": Identity(name: name, login: "authenticator", role: "anon")
    case "no identity": Identity(name: name, login: "authenticator", role: "user")
    case "retention": Identity(name: name, login: "worker", role: "retention")
    case "owner", "definer": Identity(name: name, login: "postgres", role: name)
    case let name where people[name] != nil:
      Identity(name: name, login: "authenticator", role: "user", user: people[name])
    default: Identity(name: name, login: name)
    }
  }

  // MARK: Cells

  /// The operations on every table: `table verb` or `table verb column`, with the values of an
  /// existing row.
  private static let listStatements = """
    create function pg_temp.statements() returns table (what text, statement text) language plpgsql as $$
    declare
      t record;
      one jsonb;
      columns text[];
    begin
      for t in
        select c.oid, c.relname as name from pg_class c
        where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
          and not c.relispartition
      loop
        execute format('select to_jsonb(x) from %I x limit 1', t.name) into one;
        columns := array(
          select quote_ident(attname) from pg_attribute
          where attrelid = t.oid and attnum > 0 and not attisdropped and attidentity = '' and attgenerated = ''
          order by attnum);
        return query values (t.name || ' select', format('select count(*) from %I', t.name)),
          (t.name || ' delete', format('delete from %I', t.name)),
          (t.name || ' truncate', format('truncate %I cascade', t.name)),
          (t.name || ' insert', format('insert into %I (%s) select %s from jsonb_populate_record(null::%I, %L)',
            t.name, array_to_string(columns, ', '), array_to_string(columns, ', '), t.name, one));
        return query
          select t.name || ' update ' || c,
            format('update %I set %s = (select %s from jsonb_populate_record(null::%I, %L))', t.name, c, c,
              t.name, one)
          from unnest(columns) c
          union all
          select t.name || ' insert ' || c,
            format('insert into %I (%s) select %s from jsonb_populate_record(null::%I, %L)', t.name, c, c,
              t.name, one)
          from unnest(columns) c;
      end loop;
    end $$
    """

  /// Executes a statement and rolls it back.
  ///
  /// Returns the number of rows, `!` for an error other than missing rights, or `-` for missing
  /// rights.
  private static let tryIt = """
    create function pg_temp.try_it(what text, statement text) returns text language plpgsql as $$
    declare
      n bigint;
      text text;
    begin
      if what like '% select' then
        execute statement into n;
      else
        execute statement;
        get diagnostics n = row_count;
      end if;
      raise exception using errcode = 'TRIED', message = n::text;
    exception
      when sqlstate 'TRIED' then get stacked diagnostics text = message_text; return text;
      -- Who may not use the schema finds nothing in it.
      when insufficient_privilege or undefined_function then return '-';
      when undefined_table then return case when what like '% call' then '!' else '-' end;
      when others then return '!';
    end $$
    """

  typealias Tries = [(what: String, statement: String)]

  /// Returns the operations on the tables that a regular expression selects.
  func tries(ofTables pattern: String = ".") async throws -> Tries {
    try await pairs(
      "select * from pg_temp.statements() s where s.what ~ '^(\(pattern)) ' order by 1",
      behind: [Self.listStatements])
  }

  /// Returns calls of every function, with arguments for which a strict function is nevertheless
  /// executed.
  func tries(ofFunctions pattern: String = ".") async throws -> Tries {
    try await pairs(
      """
      select f.proname || ' call', format('select %s(%s)', f.oid::regproc, (
        select string_agg(format('(select null::%s)', format_type(t, null)), ', ' order by n)
        from unnest(f.proargtypes) with ordinality p (t, n)))
      from pg_proc f
      where f.pronamespace = current_schema()::regnamespace and f.proname ~ '\(pattern)'
        and f.prorettype <> 'trigger'::regtype
      order by 1
      """, behind: [])
  }

  private func pairs(_ query: String, behind: [String]) async throws -> Tries {
    let connection = try await place.connect(as: "postgres")
    let found = try await connection.transaction(in: place.schema) { transaction in
      try await transaction.run(.run(Statement("test/begin", "select")))
      for text in behind { try await transaction.script(Statement("test/behind", text)) }
      let list = Call<[(what: String, statement: String)]>.rows(Statement("test/pairs", query)) {
        (row) throws(PostgresError) in
        let (what, statement) = try row.decode(String.self, String.self)
        return (what: what, statement: statement)
      }
      return try await transaction.run(list)
    }
    await connection.close()
    return found
  }

  /// Returns the outcome of each operation for an identity.
  func outcomes(_ tries: Tries, of name: String) async throws -> [String] {
    let identity = identity(name)
    let connection = try await place.connect(as: identity.login)
    let found = try await connection.transaction(in: place.schema) { transaction in
      try await transaction.run(.run(Statement("test/begin", "select")))
      try await transaction.script(Statement("test/try_it", Self.tryIt))
      let set = Statement("test/set", "select set_config($1, $2, true)")
      if let user = identity.user {
        try await transaction.run(.run(set, "request.jwt.claims", #"{"sub":"\#(user)"}"#))
      }
      if let role = identity.role {
        try await transaction.run(.run(set, "role", place.role(role)))
      }
      let run = Call<[String]>.rows(
        Statement(
          "test/tried",
          """
          select pg_temp.try_it(what, statement)
          from unnest($1::text[], $2::text[]) with ordinality t (what, statement, n) order by n
          """), tries.map(\.what), tries.map(\.statement)
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      return try await transaction.run(run)
    }
    await connection.close()
    return found
  }

  /// Returns lines of the form `what: identity outcome; ...` for all operations that are not
  /// refused.
  ///
  /// Columns with the same verb and outcome share a line.
  ///
  /// - Parameter counts: whether the rows of these tables are counted. Otherwise, any number is
  ///   `rows`. The numbers of the runner's rows vary, because schedules fire and segments are
  ///   rotated.
  func lines(
    _ tries: Tries, counting counts: (String) -> Bool = { _ in true }
  ) async throws -> [String] {
    var cells: [String: [String]] = [:]
    for name in Self.names {
      let outcomes = try await outcomes(tries, of: name)
      var columns: [String: [String]] = [:]
      for (attempt, found) in zip(tries, outcomes) where found != "-" {
        let words = attempt.what.split(separator: " ").map(String.init)
        let outcome = Int(found) == nil || counts(words[0]) ? found : "rows"
        let what = words.prefix(2).joined(separator: " ")
        columns["\(what) \(outcome)", default: []] += words.count > 2 ? [words[2]] : []
      }
      for (key, columns) in columns {
        let words = key.split(separator: " ").map(String.init)
        let all = tries.count { $0.what.hasPrefix(words.prefix(2).joined(separator: " ") + " ") }
        let names = columns.count == all ? "any column" : columns.joined(separator: ", ")
        let list = columns.isEmpty ? "" : " (\(names))"
        cells[words.prefix(2).joined(separator: " "), default: []].append(
          "\(name) \(words[2])\(list)")
      }
    }
    return cells.map { "\($0.key): \($0.value.sorted().joined(separator: "; "))" }.sorted()
  }

  // MARK: What is old

  /// A board of a long-ended week, with all rows that refer to it.
  private static let oldBoard = """
    with week as (
      select date_trunc('week', now() at time zone 'UTC')::date - 140 as monday, now() - interval '130 days' as at
    ),
    board as (
      insert into challenge (id, group_id, week_start, type)
      select '00000000-0000-0000-0000-00000000000d', 'early', monday, 'streak' from week returning id
    ),
    standings as (
      insert into standing (challenge_id, user_id, value, rank, position, display_name, last_updated)
      select id, 'ann', 1, 1, 1, 'Ann', at from board, week
    ),
    told as (
      insert into notification (partition, created_at, user_id, group_id, type, challenge_id, content, changed_at)
      select day_partition(now()), now(), 'ann', 'early', 'rank_change', id, '{}', now() from board
    ),
    moves as (
      insert into silent_move (challenge_id, user_id, value) select id, 'ann', 1 from board
    ),
    weeks as (
      insert into closed_week (group_id, week_start, is_told, closed_at) select 'early', monday, false, at from week
    ),
    invites as (
      insert into invite (token_hash, group_id, created_by, created_at, expires_at)
      select sha256('old'), 'early', current_setting('test.ann'), at - interval '70 days', at - interval '60 days'
      from week
    ),
    attempts as (
      insert into invite_attempt (user_id, began_at, attempts)
      select current_setting('test.ann'), at, 1 from week
    ),
    complaints as (
      insert into user_report (id, reported, group_id, reason, note, created_at)
      select gen_random_uuid(), current_setting('test.ann'), 'early', 'spam', '', at - interval '1 year' from week
    ),
    sessions as (
      insert into session (user_id, device, token_hash, created_at, expires_at)
      select current_setting('test.ann'), 'Phone', sha256('old'), at - interval '90 days', at from week
    ),
    phones as (
      insert into push_device (user_id, platform, environment, token, locale, registered_at)
      select current_setting('test.ann'), 'fcm', 'production', 'old', 'en', at - interval '1 year' from week
    ),
    pushes as (
      insert into push_setting (user_id, muted) values (current_setting('test.ann'), '{}')
    ),
    used as (
      insert into usage_log (recorded_at, kind, group_id) select at - interval '1 year', 'group_created', 'early'
      from week
    ),
    reported as (
      insert into client_event (id, user_id, kind, recorded_at)
      select gen_random_uuid(), current_setting('test.ann'), 'link_failed', at - interval '1 year' from week
    )
    insert into ignored_workout (day) select monday from week
    """

  private static let oldEntry = """
    insert into entry (challenge_id, user_id, value, reached_at, joined_at, display_name, last_updated)
    select '00000000-0000-0000-0000-00000000000d', current_setting('test.ann'), 1, at, at, 'Ann', at
    from (select now() - interval '135 days' as at) a
    """

  private static let closedLongAgo = """
    update challenge set state = 'closed', closed_at = now() - interval '130 days'
    where id = '00000000-0000-0000-0000-00000000000d'
    """

  // MARK: Who is there

  /// Creates a schema with roles, two groups, and users for all cases of the rules.
  static func make() async throws -> AccessMatrix {
    let place = try await RolePlace.make("cells")
    // The result does not depend on the time of the test.
    try await place.run("update schedule set paused_at = now()")
    func call(_ text: String) async throws -> String {
      try await place.rows("select (\(text))::text", as: "api").first ?? "nothing"
    }
    var people: [String: String] = [:]
    for (name, short) in [
      ("self", "Ben"), ("peer", "Pia"), ("admin", "Ann"), ("admin of another group", "Eve"),
      ("inactive", "Cem"), ("removed", "Dan"), ("deleted user", "Gus"),
    ] {
      people[name] = try await call("select id from upsert_user('apple', '\(short)', '\(short)')")
    }
    func id(_ name: String) throws -> String { try #require(people[name]) }
    _ = try await call("create_group('\(id("admin"))', 'early', 'Early birds')")
    _ = try await call("create_group('\(id("admin of another group"))', 'late', 'Late birds')")
    let token = try await call("select token from create_invite('\(id("admin"))', 'early')")
    for name in ["self", "peer", "inactive", "removed", "deleted user"] {
      _ = try await call("select group_id from join_group('\(id(name))', '\(token)')")
      _ = try await call("select outcome from record_workout('\(id(name))', 'w1')")
    }
    _ = try await call(
      "select outcome from record_workout('\(id("admin of another group"))', 'w1')")
    try await place.gymrats(as: "worker").succeed("worker", "--until-idle")
    _ = try await call("leave_group('\(id("inactive"))', 'early')")
    _ = try await call("remove_member('\(id("admin"))', 'early', '\(id("removed"))')")
    _ = try await call("delete_account('\(id("deleted user"))')")
    _ = try await call("block_user('\(id("peer"))', '\(id("inactive"))')")
    _ = try await call("update_privacy_settings('\(id("peer"))', false)")
    _ = try await call("update_privacy_settings('\(id("peer"))', true)")
    try await place.gymrats(as: "worker").succeed("worker", "--until-idle")
    try await place.run(
      "select set_config('test.ann', '\(id("admin"))', true)", Self.oldBoard, Self.oldEntry,
      Self.closedLongAgo)
    return AccessMatrix(place: place, people: people)
  }
}
