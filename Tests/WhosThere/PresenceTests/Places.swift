import BatonPostgres
import IdentitySQL
import JobTesting
import PresenceSQL
import TestSupport

@testable import WhosThere

/// A complete database of Who's There for a test.
struct Places: Sendable {
  let test: JobTest

  /// Check-ins enqueue runs, so the jobs must be defined.
  private static let template = TestTemplate(
    "template_of_places", parts: [SQL.identity, SQL.presence], jobs: WhosThere.jobs)

  /// Runs `body` in a new database, and drops the database afterwards.
  ///
  /// - Parameter clock: the time at which the clock stands still, in UTC, or nil for a running
  ///   clock.
  static func with<R>(
    at clock: String? = nil, _ body: (Places) async throws -> R
  ) async throws -> R {
    try await TestSchema.run(WhosThere.jobs, from: template) {
      if let clock { try await $0.setClock(to: "\(clock)Z") }
      return try await body(Places(test: $0))
    }
  }

  /// Databases with the roles of docs/reference/roles.md, on a separate server.
  static let roles = RoleTemplate(
    "places", parts: [SQL.identity, SQL.presence], jobs: WhosThere.jobs)

  /// Runs `body` in a new database with roles, and passes the address for the API's role.
  ///
  /// The test itself is the superuser.
  static func withRoles<R>(
    at clock: String? = nil, _ body: (Places, _ api: ConnectionConfiguration) async throws -> R
  ) async throws -> R {
    try await roles.withCopy { database in
      let superuser = try roles.configuration(in: database)
      return try await JobTest.run(WhosThere.jobs, in: roles.schema, at: superuser.address) {
        if let clock { try await $0.setClock(to: "\(clock)Z") }
        return try await body(Places(test: $0), try roles.configuration(as: "api", in: database))
      }
    }
  }

  /// Sets the clock, in UTC.
  func stand(at clock: String) async throws { try await test.setClock(to: "\(clock)Z") }

  /// Runs one statement.
  ///
  /// Each row of a query is returned as a text, with its columns separated by commas and without
  /// quotes.
  @discardableResult
  func sql(_ text: String) async throws -> [String] {
    try await test.sql(text).map { $0.replacing("\"", with: "") }
  }

  /// Calls a function, and returns its rows or the name of the refusal.
  @discardableResult
  func call(_ call: String, _ columns: String = "*") async throws -> String {
    do {
      return try await sql("select \(columns) from \(call)").joined(separator: "; ")
    } catch let error as PostgresError where error.sqlState.code.hasPrefix("ZW") {
      return error.constraint ?? "no name"
    }
  }

  /// Creates accounts of Google.
  ///
  /// Their subjects are their names.
  func accounts(_ names: String...) async throws {
    for name in names {
      try await sql(
        """
        insert into users (id, display_name, is_anonymous)
        values ('\(name)', initcap('\(name)'), false)
        """)
      try await sql(
        "insert into identity (provider, subject, user_id) values ('google', '\(name)', '\(name)')")
    }
  }

  /// Creates users with one device each.
  func devices(_ names: String...) async throws {
    for name in names {
      try await sql(
        """
        insert into users (id, display_name, is_anonymous, asks_for_name)
        values ('\(name)', 'Visitor', true, true)
        """)
      try await sql(
        """
        insert into identity (provider, subject, user_id)
        values ('anonymous', encode(sha256('\(name)'), 'hex'), '\(name)')
        """)
    }
  }

  /// Creates a public group of a user, with further members.
  func found(
    _ group: String, by admin: String, _ others: String..., most: Int = 50
  ) async throws {
    try await call("create_group('\(admin)', '\(group)', 'Group', \(Self.park), 'UTC', true)")
    try await sql("update groups set max_members = \(most) where id = '\(group)'")
    for other in others { try await call("join_public_group('\(other)', '\(group)')") }
  }

  /// A circle in Berlin, as SQL.
  static let park = circle(52.5, 13.4)

  /// Returns a circle as SQL.
  static func circle(_ latitude: Double, _ longitude: Double, _ radius: Double = 100) -> String {
    """
    '{"type":"circle","center":{"latitude":\(latitude),"longitude":\(longitude)},"radius":\(radius)}'
    """
  }

  /// Returns the current members of a group with their roles.
  func members(of group: String = "g") async throws -> [String] {
    try await sql(
      """
      select user_id || ' ' || role from member
      where group_id = '\(group)' and left_at is null order by joined_at, user_id
      """)
  }

  /// Returns violations of the invariants in docs/whosthere/rules.md.
  func broken() async throws -> [String] {
    try await sql(
      """
      select 'count of ' || g.id from groups g
      where g.member_count
        <> (select count(*) from member m where m.group_id = g.id and m.left_at is null)
      union all
      select 'no admin in ' || g.id from groups g
      where g.is_active and not exists (
        select from member m where m.group_id = g.id and m.left_at is null and m.role = 'admin')
      union all
      select 'role of one who left: ' || m.user_id from member m
      where m.left_at is not null and m.role <> 'member'
      union all
      select 'something of ' || u.id || ', who was merged' from users u
      where u.merged_into is not null and (
        exists (select from member m where u.id in (m.user_id, m.removed_by))
        or exists (select from identity i where i.user_id = u.id)
        or exists (select from session s where s.user_id = u.id and s.ended_at is null)
        or exists (select from invite i where i.created_by = u.id)
        or exists (select from redemption r where r.user_id = u.id)
        or exists (select from groups g where u.id in (g.created_by, g.deleted_by))
        or exists (select from user_stats t where t.user_id = u.id)
        or exists (select from presence p where p.user_id = u.id)
        or exists (select from visit v where v.user_id = u.id)
        or exists (select from first_arrival f where f.user_id = u.id)
        or exists (select from presence_command c where c.user_id = u.id)
        or exists (select from message n where n.user_id = u.id)
        or exists (select from message_bucket b where b.user_id = u.id))
      union all
      select 'numbers of ' || u.id from users u
      left join user_stats t on t.user_id = u.id
      left join lateral (
        select count(*) as visits, count(distinct v.group_id) as groups, count(distinct v.local_date) as dates
        from visit v where v.user_id = u.id) v on true
      where (coalesce(t.check_ins, 0), coalesce(t.groups_visited, 0)) <> (v.visits, v.groups)
        or v.dates <> (
          select coalesce(sum(s.ends - s.begins + 1), 0) from visit_streak s where s.user_id = u.id)
      union all
      select 'presence of no member: ' || p.user_id from presence p
      where p.is_present and not exists (
        select from member m
        where m.group_id = p.group_id and m.user_id = p.user_id and m.left_at is null)
      union all
      select 'presence and visit of ' || user_id from (
        select p.group_id, p.user_id, p.since from presence p where p.is_present) p
      full join (
        select v.group_id, v.user_id, v.arrival from visit v where v.departure is null) v
      using (group_id, user_id)
      where p.since is distinct from v.arrival
      union all
      select 'invite of an ended group: ' || i.code from invite i
      join groups g on g.id = i.group_id where i.replaced_at is null and not g.is_active
      """)
  }
}
