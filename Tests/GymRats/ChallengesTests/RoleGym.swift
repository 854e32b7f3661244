import BatonIdentity
import BatonPostgres
import ChallengesSQL
import TestSupport
import Testing

/// A schema with roles on the server for tests of roles.
///
/// Ann is the admin of the group `g`, Ben is a member, and Cem has no group.
///
/// Each process creates one schema without keys and one with a key, because different claims count.
/// Tests do not change these schemas.
struct RoleGym: Sendable {
  let schema: Schema
  /// The key of the database, or nil if the database has no key.
  let key: ClaimKey?
  /// Ids for calls: the ids of the week's boards and of an invite by Ann, with the invite's token.
  let checkIns, streak, invite, token: String

  private static let unsigned = Task { try await make(signed: false) }
  private static let signed = Task { try await make(signed: true) }

  /// Returns this process's schema with signed claims, or the schema with unsigned claims.
  static func made(signed isSigned: Bool) async throws -> RoleGym {
    try await (isSigned ? signed : unsigned).value
  }

  var signer: IdentitySigner? { key.flatMap { IdentitySigner(keyID: $0.id, key: $0.text) } }

  func role(_ kind: String) -> String { "\(schema)_\(kind)" }

  /// Returns a connection of the login that may become a user or the anonymous role, and no other
  /// role.
  func connect(as kind: String = "authenticator") async throws -> Connection {
    try await RoleServer.connect(as: role(kind))
  }

  /// Runs a body with such a connection, and closes the connection.
  func with<R>(
    _ kind: String = "authenticator", _ body: (Connection) async throws -> R
  ) async throws -> R {
    let connection = try await connect(as: kind)
    let result: Result<R, any Error>
    do { result = .success(try await body(connection)) } catch { result = .failure(error) }
    await connection.close()
    return try result.get()
  }

  /// Returns a user's identity, with the kind of claim that counts in this schema.
  func user(_ id: String) -> Identity {
    signer.map { .user(id, role: role("user"), signer: $0) } ?? .user(id, role: role("user"))
  }

  /// Returns a role with a claim of the test's own, of the kind that counts in this schema.
  func identity(_ kind: String = "user", claim: String) -> Identity {
    let isSigned = signer != nil
    return Identity(role: role(kind)) { _ in isSigned ? .signed(claim) : .unsigned(claim) }
  }

  /// Returns the result of each statement as an SQLSTATE, or `done` for a success.
  ///
  /// All changes are rolled back.
  func tried(
    _ statements: [String], as identity: Identity, on connection: Connection
  ) async throws -> [String] {
    let tries = Statement(
      "test/tries",
      """
      select \(schema)_tools.try_it(s) from unnest($1::text[]) with ordinality t (s, n) order by n
      """)
    let call = Call<[String]>.rows(tries, statements) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await Session(connection, in: schema).acting(as: identity).atomically(call)
  }

  /// Expects the user that the database sees as the caller, or nil for no user.
  func expect(
    _ actor: String?, as identity: Identity, on connection: Connection, _ comment: Comment? = nil,
    at location: SourceLocation = #_sourceLocation
  ) async throws {
    let found = try await Session(connection, in: schema).acting(as: identity).actor()
    #expect(found == actor, comment, sourceLocation: location)
  }
}

extension RoleGym {
  /// The functions whose first parameter is the actor.
  static let ofActors = SQL.challenges.api.filter { !ofServers.contains($0) }

  /// The functions that no user may execute, because they act for many users or create users.
  static let ofServers: Set = [
    "upsert_user", "find_user", "begin_session", "refresh_session", "end_session", "end_sessions",
    "changed_boards", "running_boards", "observed_badges", "refused_viewers", "observe",
    "stop_observing", "create_stream_ticket", "redeem_stream_ticket",
  ]

  private static func make(signed: Bool) async throws -> RoleGym {
    let place = try await RolePlace.make()
    try await permit(place)
    let superuser = try await RoleServer.connect()
    let key = signed ? try await superuser.atomically(in: place.schema, .rotateKey) : nil
    let ids = try await fill(place.schema, on: superuser)
    await superuser.close()
    return RoleGym(
      schema: place.schema, key: key, checkIns: ids[0], streak: ids[1], invite: ids[2],
      token: "0123456789abcdef0123456789abcdef")
  }

  /// Grants the additional rights that tests need, so that only the functions themselves refuse
  /// calls.
  private static func permit(_ place: RolePlace) async throws {
    let name = place.schema.name
    try await RoleServer.administer(
      """
      set search_path = \(name);
      grant execute on function \(ofActors.joined(separator: ", "))
      to \(name)_anon, \(name)_worker, \(name)_operator
      """,
      // A schema in which the login may create objects with the names that functions resolve.
      "create schema \(name)_own authorization \(name)_authenticator",
      "create schema \(name)_tools; grant usage on schema \(name)_tools to public",
      """
      create function \(name)_tools.try_it(statement text) returns text language plpgsql as $$
      begin
        execute statement;
        raise exception using errcode = 'TDONE';
      exception when others then
        -- Whatever the caller's path has for an equals sign.
        return case when sqlstate operator(pg_catalog.=) 'TDONE' then 'done' else sqlstate end;
      end $$
      """)
  }

  /// - Returns: the ids of both boards of this week and of the invite.
  private static func fill(_ schema: Schema, on owner: Connection) async throws -> [String] {
    let token = "0123456789abcdef0123456789abcdef"
    try await owner.sql(
      "insert into users (id, display_name) select id, id from unnest('{ann,ben,cem}'::text[]) id",
      in: schema)
    for call in [
      "create_group('ann', 'g', 'Gym')", "create_invite('ann', 'g', '\(token)')",
      "join_group('ben', '\(token)')", "record_workout('ann', 'w1')",
    ] { try await owner.sql("select \(call)", in: schema) }
    return try await owner.sql(
      """
      select id from (
        select 1, id::text from current_board('ann', 'g', 'check-ins')
        union all select 2, id::text from current_board('ann', 'g', 'streak')
        union all select 3, id::text from list_invites('ann', 'g')) i (n, id)
      order by n
      """, in: schema)
  }
}
