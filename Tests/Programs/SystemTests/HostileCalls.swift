import BatonPostgres
import Foundation
import TestSupport

/// Calls of all functions of a schema, with arguments that an attacker would choose.
///
/// Some calls are rolled back and others are committed, so later calls find the effects of earlier
/// calls.
struct HostileCalls {
  /// A login, the role that it takes, and the user in its claim.
  struct Attacker: CustomStringConvertible {
    let login: String
    var role: String?
    var user: String?

    /// Whether the attacker takes the role of users, who may read their own rows.
    var isUser: Bool { role == "user" }

    var description: String { user ?? role ?? login }
  }

  /// A call of a function, as a statement.
  struct OneCall: Sendable {
    let name: String
    let statement: String
  }

  let place: RolePlace
  /// The names of the victims' group and user, which no attacker may read.
  let secrets: [String]
  /// The ids of the victims' group and user, and of their rows, as texts.
  let victims: [String]
  /// The ids that attackers know besides the victims' ids.
  let known: [String]

  /// Returns a random value as SQL text, for the type of a parameter.
  private static let drawValue = """
    create function pg_temp.pick(list text[]) returns text language sql volatile as
    $$ select list[1 + floor(random() * cardinality(list))::integer] $$;

    create function pg_temp.draw(kind regtype, ids text[]) returns text language plpgsql volatile as $body$
    declare
      base regtype := coalesce((select nullif(t.typbasetype, 0) from pg_type t where t.oid = kind), kind);
      element oid := (select t.typelem from pg_type t where t.oid = base and t.typcategory = 'A');
      value text;
    begin
      if random() < 0.06 then return format('null::%s', kind); end if;
      if element is not null then
        if random() < 0.3 then
          return format('%L::%s', pg_temp.pick(array['{}', '{NULL}', '{NULL,NULL}']), kind);
        end if;
        return format('array(select %s from generate_series(1, %s))::%s', pg_temp.draw(element, ids),
          -- Corners are compared in pairs, by functions that no user may call.
          pg_temp.pick(array['1', '2', case element when 'double precision'::regtype then '100' else '3000' end]), kind);
      end if;
      if exists (select from pg_enum e where e.enumtypid = base) then
        return format('%L::%s', (
          select e.enumlabel from pg_enum e where e.enumtypid = base order by random() limit 1), kind);
      end if;
      value := case base::text
        when 'uuid' then pg_temp.pick(array(select i from unnest(ids) i where i ~ '^[0-9a-f-]{36}$')
          || array['00000000-0000-0000-0000-000000000000', gen_random_uuid()::text])
        when 'smallint' then pg_temp.pick('{0,1,-1,32767,-32768}')
        when 'integer' then pg_temp.pick('{0,1,-1,7,2147483647,-2147483648}')
        when 'bigint' then pg_temp.pick('{0,1,-1,9223372036854775807,-9223372036854775808}')
        when 'numeric' then pg_temp.pick('{0,-1,NaN,Infinity,1e1000}')
        when 'real' then pg_temp.pick('{0,NaN,Infinity,3e38}')
        when 'double precision' then pg_temp.pick('{0,NaN,Infinity,-Infinity,1e308,90.0001,-180,52.5,13.4}')
        when 'boolean' then pg_temp.pick('{true,false}')
        when 'date' then pg_temp.pick('{today,infinity,-infinity,4713-01-01 BC,5874897-12-31,2024-02-29}')
        when 'timestamp with time zone' then
          pg_temp.pick('{now,infinity,-infinity,4713-01-01 BC,294276-12-31,0001-01-01,yesterday,tomorrow}')
        when 'interval' then pg_temp.pick('{0,-1 s,1 h,178000000 years,-178000000 years}')
        when 'bytea' then pg_temp.pick(array['', '\\x00', '\\xff00', '\\x' || repeat('61', 100000)])
        when 'jsonb' then pg_temp.pick(array['null', '{}', '[]', '"x"', '1e400', '{"latitude": 1e400}',
          '{"latitude": 52.5, "longitude": 13.4, "radius": 100}', repeat('[', 500) || repeat(']', 500)])
        when 'json' then pg_temp.pick(array['null', '{}', '[]', '"x"', repeat('[', 500) || repeat(']', 500)])
        when 'text' then pg_temp.pick(ids || ids || ids || array['', ' ', 'apple', 'manual', 'phone', 'UTC', 'Europe/Berlin', '%', '_', '0',
          $q$'; drop table setting; --$q$, '$$', E'a\\nb', U&'\\202E', U&'\\FFFD', 'x''x', '\\', '../../etc/passwd',
          '{}', 'null', repeat('x', 300), repeat('x', 70000), gen_random_uuid()::text])
      end;
      if value is null then return format('null::%s', kind); end if;
      return format('%L::%s', value, kind);
    end $body$;

    """

  /// Returns random calls.
  ///
  /// The function belongs to the superuser, because attackers cannot list functions.
  private static let drawCalls = """
    create function pg_temp.calls(seed double precision, many integer, ids text[])
    returns table (name text, statement text) language plpgsql as $$
    begin
      perform setseed(seed);
      return query
        select f.proname::text, format('select left(string_agg(x::text, ''|''), 200000) from %s(%s) x', f.oid::regproc, (
          select string_agg(pg_temp.draw(t, ids), ', ' order by n)
          from unnest(f.proargtypes) with ordinality p (t, n)))
        from pg_proc f, generate_series(1, many) round
        where f.pronamespace = current_schema()::regnamespace and f.prokind = 'f'
          and f.prorettype not in ('trigger'::regtype, 'event_trigger'::regtype)
          and not exists (
            select from unnest(f.proargtypes) p (t) where t in ('internal'::regtype, 'regclass'::regtype))
        order by random();
    end $$;

    """

  /// Executes one call: `name state text`, where the state is `00000` if the call returned the text.
  ///
  /// Two of three calls are rolled back. Statements on tables, and calls that end the attacker's own
  /// account or group, are always rolled back, because later calls would find no rows.
  private static let tryIt = """
    create function pg_temp.try_it(name text, statement text) returns text language plpgsql as $$
    declare
      answer text;
      state text;
      message text;
      detail text;
    begin
      execute statement into answer;
      if random() < 0.67 or name like 'table %' or name in ('delete_account', 'delete_group', 'leave_group', 'end_session') then
        raise exception using errcode = 'TRIED', message = coalesce(answer, '');
      end if;
      return name || ' 00000 ' || coalesce(answer, '');
    exception when others then
      get stacked diagnostics state = returned_sqlstate, message = message_text, detail = pg_exception_detail;
      return name || ' ' || replace(state, 'TRIED', '00000') || ' ' || message || ' ' || coalesce(detail, '');
    end $$;

    """

  private func transaction<Output: Sendable>(
    as login: String, _ body: sending (Transaction) async throws -> Output
  ) async throws -> Output {
    let connection = try await place.connect(as: login)
    let result: Result<Output, any Error>
    do { result = .success(try await connection.transaction(in: place.schema, body)) } catch {
      result = .failure(error)
    }
    await connection.close()
    return try result.get()
  }

  /// Returns random calls of each function of the schema.
  func draw(_ many: Int, seed: Double) async throws -> [OneCall] {
    try await drawn(Self.drawCalls, "calls", many, seed: seed)
  }

  /// Returns the statements that a function of a script draws.
  ///
  /// The superuser executes the script, because attackers cannot list functions and tables.
  func drawn(
    _ script: String, _ function: String, _ many: Int, seed: Double
  ) async throws -> [OneCall] {
    try await transaction(as: "postgres") { transaction in
      try await transaction.run(.run(Statement("test/begin", "select")))
      try await transaction.script(Statement("test/draw", Self.drawValue + script))
      let list = Call<[OneCall]>.rows(
        Statement(
          "test/\(function)",
          "select * from pg_temp.\(function)($1, $2::bigint::integer, $3)"), seed,
        Int64(many), victims + known
      ) { (row) throws(PostgresError) in
        let (name, statement) = try row.decode(String.self, String.self)
        return OneCall(name: name, statement: statement)
      }
      return try await transaction.run(list)
    }
  }

  /// Executes calls, and returns the answer to each of them.
  ///
  /// The seed determines which calls are rolled back.
  func answers(
    to calls: [OneCall], of attacker: Attacker, seed: Double
  ) async throws -> [String] {
    try await transaction(as: attacker.login) { transaction in
      try await transaction.run(.run(Statement("test/begin", "select")))
      try await transaction.script(Statement("test/try", Self.tryIt))
      try await transaction.run(.run(Statement("test/seed", "select setseed($1)"), seed))
      let set = Statement("test/set", "select set_config($1, $2, true)")
      try await transaction.run(.run(set, "statement_timeout", "20s"))
      if let user = attacker.user {
        try await transaction.run(.run(set, "request.jwt.claims", #"{"sub":"\#(user)"}"#))
      }
      if let role = attacker.role {
        try await transaction.run(.run(set, "role", place.role(role)))
      }
      let tried = Statement(
        "test/tried",
        """
        select pg_temp.try_it(name, statement)
        from unnest($1::text[], $2::text[]) with ordinality t (name, statement, n) order by n
        """)
      // The time limit applies to each statement, so each statement executes some of the calls.
      var answers: [String] = []
      for start in stride(from: 0, to: calls.count, by: 500) {
        let part = calls[start..<min(start + 500, calls.count)]
        let list = Call<[String]>.rows(tried, part.map(\.name), part.map(\.statement)) {
          (row) throws(PostgresError) in try row.decode(String.self)
        }
        answers += try await transaction.run(list)
      }
      return answers
    }
  }

  /// Returns a digest of each table's rows that contain an id of the victims.
  func digests() async throws -> [String] {
    let pattern = victims.joined(separator: "|")
    return try await place.rows(
      """
      select c.relname || ' ' || (xpath('/row/d/text()', query_to_xml(format(
        'select md5(coalesce(string_agg(t::text, chr(10) order by t::text), '''')) || '' '' || count(*) as d
         from %I t where t::text ~ %L', c.relname, '\(pattern)'), false, true, '')))[1]::text
      from pg_class c
      where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p')
        and not c.relispartition
      order by 1
      """)
  }
}
