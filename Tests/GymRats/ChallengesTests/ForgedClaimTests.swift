import BatonIdentity
import BatonPostgres
import TestSupport
import Testing

/// An attacker can run SQL with the login of an API, but does not have the key that signs claims.
///
/// The attacker can become no other user, and no role with more rights.
@Suite(.timeLimit(.minutes(5))) struct ForgedClaimTests {
  /// Tries everything that a login can do, and then asks as which user the database sees the
  /// session.
  private func attack(
    _ gym: RoleGym, _ statements: [String], claim: String? = nil
  ) async throws -> (actor: String?, calls: [String]) {
    try await gym.with { login in
      for text in statements { try await login.script(Statement("test/attack", text)) }
      let identity =
        claim.map { gym.identity(claim: $0) } ?? Identity(role: gym.role("user")) { _ in .none }
      let session = Session(login, in: gym.schema).acting(as: identity)
      let own = gym.role("own")
      // As in its session, because the search path of the client is set.
      let call = Call<(String?, [String])>.row(
        Statement(
          "test/attacked",
          """
          select \(gym.schema).current_actor(),
            \(gym.schema)_tools.try_it('select * from \(gym.schema).get_user(''ann'')'),
            \(gym.schema)_tools.try_it(
              'select * from \(gym.schema).record_workout(''ann'', ''forged'')')
          from set_config('search_path', '\(own), pg_temp, pg_catalog, \(gym.schema)', true)
          """)
      ) { (row) throws(PostgresError) in
        let (actor, reading, writing) = try row.decode(String?.self, String.self, String.self)
        return (actor, [reading, writing])
      }
      let (actor, calls) = try await session.atomically(call)
      return (actor, calls)
    }
  }

  private func expectNobody(
    _ gym: RoleGym, _ statements: [String], claim: String? = nil, _ what: String
  ) async throws {
    let (actor, calls) = try await attack(gym, statements, claim: claim)
    #expect(actor == nil, "\(what)")
    #expect(calls == ["ZG001", "ZG001"], "\(what)")
  }

  /// Settings that a session may change and that affect how texts and values are parsed.
  private static let settings = [
    "standard_conforming_strings = off", "bytea_output = 'escape'", "transform_null_equals = on",
    "quote_all_identifiers = on", "datestyle = 'SQL, DMY'", "intervalstyle = 'sql_standard'",
    "timezone = 'Asia/Kathmandu'", "array_nulls = off",
    "plan_cache_mode = force_generic_plan", "extra_float_digits = -15",
    "default_transaction_read_only = on", "default_transaction_isolation = 'serializable'",
    "client_encoding = 'LATIN1'", "check_function_bodies = off", "enable_seqscan = off",
    "enable_indexscan = off", "backslash_quote = on", "lc_monetary = 'C'",
    "plpgsql.check_asserts = off", "plpgsql.extra_errors = 'all'",
    "request.jwt.claims = '{\"sub\": \"ann\"}'", "request.jwt.claim.sub = 'ann'",
    "app.user_id = 'ann'", "jit = off",
    // Baton's transactions enable row security again.
    "row_security = off",
  ]

  @Test func `no setting of a session makes a forged claim count, or a genuine one another's`()
    async throws
  {
    let gym = try await RoleGym.made(signed: true)
    let signer = try #require(gym.signer)
    let genuine = signer.claim(for: "ann")
    let forged = genuine.dropLast() + (genuine.hasSuffix("0") ? "1" : "0")
    try await expectNobody(gym, [], claim: String(forged), "no setting")
    for setting in Self.settings {
      for claim in [String(forged), genuine.replacing(".", with: "x"), "ann", ""] {
        try await expectNobody(gym, ["set \(setting)"], claim: claim, setting)
      }
      guard !setting.hasPrefix("default_transaction_read_only") else { continue }
      let (actor, calls) = try await attack(
        gym, ["set \(setting)"], claim: signer.claim(for: "ann"))
      #expect(actor == "ann" && calls == ["done", "done"], "\(setting)")
    }
  }

  @Test func `nothing that it makes for itself is what the functions find`() async throws {
    let gym = try await RoleGym.made(signed: true)
    let (name, own) = (gym.schema.name, gym.role("own"))
    let key = String(repeating: "00", count: 64)
    let path = "set search_path = \(own), pg_temp, pg_catalog, \(name)"
    let public_ = "grant usage on schema \(own) to public"
    let makings: KeyValuePairs = [
      "tables of temporary ones": [
        "create temp table claim_key (id int, inner_block bytea, outer_block bytea)",
        "insert into claim_key values (0, null, null), (7, '\\x\(key)', '\\x\(key)')",
        "create temp table access (prefix text); create temp table users (id text)",
        "insert into users values ('ann'); grant all on claim_key, access, users to public",
      ],
      "tables of its schema": [
        "create table \(own).claim_key (id int, inner_block bytea, outer_block bytea)",
        "create table \(own).access (prefix text)",
        "insert into \(own).claim_key values (0, null, null)",
        "grant select on all tables in schema \(own) to public", public_, path,
      ],
      "functions": [
        "create function \(own).current_actor() returns text language sql return 'ann'::text",
        "create function \(own).caller() returns name language sql return '\(name)_api'::name",
        "create function \(own).require_claim(text) returns void language sql as ''",
        "create function \(own).speaks_for(text) returns boolean language sql return true",
        "create function \(own).signed_actor(text) returns text language sql return 'ann'::text",
        "create function \(own).hmac_sha256(bytea, bytea, bytea) returns bytea language sql return ''::bytea",
        "create function \(own).sha256(bytea) returns bytea language sql return ''::bytea",
        "create function \(own).pg_has_role(name, oid, text) returns boolean language sql return true",
        "create function \(own).current_setting(text, boolean) returns text language sql return '{\"sub\": \"ann\"}'::text",
        public_, path,
      ],
      "operators": [
        "create function \(own).yes(bytea, bytea) returns boolean language sql return true",
        "create function \(own).yes(text, text) returns boolean language sql return true",
        "create operator \(own).= (function = \(own).yes, leftarg = bytea, rightarg = bytea)",
        "create operator \(own).= (function = \(own).yes, leftarg = text, rightarg = text)",
        public_, path,
      ],
    ]
    let claim = "1.7.99999999999...616e6e." + String(repeating: "0", count: 64)
    for (what, statements) in makings {
      try await expectNobody(
        gym, statements.map { "begin; \($0); commit" }, claim: claim, what)
      try await gym.with { login in
        try await login.script(
          Statement(
            "test/clean", "drop owned by current_user; drop schema if exists \(own) cascade"))
      }
      try await RoleServer.administer(
        "create schema \(own) authorization \(gym.role("authenticator"))")
    }
  }

  @Test func `it reads no key, signs nothing, and becomes nobody with more rights`() async throws {
    let gym = try await RoleGym.made(signed: true)
    let name = gym.schema.name
    let refused = [
      "select * from $.claim_key", "select count(*) from $.claim_key", "table $.users",
      "insert into $.claim_key (id) values (0)", "delete from $.claim_key",
      "truncate $.claim_key", "lock table $.claim_key", "insert into $.access values (true, 'x')",
      "select $.rotate_claim_key()", "select $.signed_actor('x')", "select $.claimed_actor('{}')",
      "select $.speaks_for('ann')", "select $.require_claim('ann')",
      "select $.require_actor('ann')",
      "select $.hmac_sha256('', '', '')", "select $.hmac_block('', 1)",
      "alter function $.current_actor() rename to mine", "drop function $.current_actor()",
      "create or replace function $.current_actor() returns text language sql return 'ann'::text",
      "create function $.mine() returns text language sql return 'ann'::text",
      "create policy mine on $.claim_key using (true)", "comment on table $.claim_key is 'mine'",
    ].map { $0.replacing("$", with: name) }
    let roles = ["owner", "api", "worker", "operator"].map { "\(name)_\($0)" } + ["postgres"]
    let becoming = roles.flatMap { role in
      [
        "set role \(role)", "set local role \(role)", "select set_config('role', '\(role)', true)",
        "set session authorization \(role)", "grant \(role) to current_user",
        "grant \(role) to \(name)_user",
        "select set_config('session_authorization', '\(role)', false)",
        "create function pg_temp.f() returns name language sql security definer return current_user; alter function pg_temp.f() owner to \(role)",
      ]
    }
    let others = [
      "alter role current_user createrole", "alter role \(name)_user superuser",
      "set session_replication_role = replica", "create role mine",
      "reset role; select * from \(name).claim_key",
      "alter default privileges for role \(name)_owner grant all on tables to public",
    ]
    try await gym.with { login in
      for identity in [
        gym.user("ben"), Identity.nobody(role: "none"), .nobody(role: gym.role("anon")),
      ] {
        let all = refused + becoming + others
        let ended = try await gym.tried(all, as: identity, on: login)
        for (statement, state) in zip(all, ended) { #expect(state == "42501", "\(statement)") }
      }
      // The login has exactly the roles that it can become.
      let good = ["user", "anon", "authenticator"].map { "set local role \(gym.role($0))" }
      let ended = try await gym.tried(good, as: .nobody(role: "none"), on: login)
      #expect(ended == Array(repeating: "done", count: 3))
    }
  }

  @Test func `the roles of a transaction are its own to choose, and its user is not`() async throws
  {
    let gym = try await RoleGym.made(signed: true)
    try await gym.with { login in
      let escapes = [
        "set local role \(gym.role("anon")); select get_user('ann')",
        "set local role \(gym.role("user")); select get_user('ann')",
        "select set_config('baton.claim', '', true); select get_user('ann')",
        "select set_config('request.jwt.claims', '{\"sub\": \"ann\"}', true); select get_user('ann')",
        "reset baton.claim; select get_user('ann')", "discard temp; select get_user('ann')",
      ].map { "do $$ begin \($0.replacing("select ", with: "perform ")); end $$" }
      for user in ["ben", "ann"] {
        let ended = try await gym.tried(escapes, as: gym.user(user), on: login)
        let (kept, lost) = (user == "ann" ? "done" : "ZG001", "ZG001")
        #expect(ended == [kept, kept, lost, kept, lost, kept], "\(user)")
      }
    }
  }
}
