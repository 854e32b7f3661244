import BatonPostgres
import TestSupport

extension Gym {
  /// Creates users without a group.
  func users(_ names: String...) async throws {
    for name in names {
      try await run("insert into users (id, display_name) values ('\(name)', initcap('\(name)'))")
    }
  }

  /// Calls a function.
  ///
  /// Returns the text of its row, or the name of an error that a member may encounter.
  @discardableResult
  func call(_ call: String, on other: Connection? = nil) async throws -> String {
    do {
      return try await lines("select (\(call))::text", on: other).first ?? "no row"
    } catch let error as PostgresError where error.sqlState.code.hasPrefix("ZG") {
      return "\(error.constraint ?? "no name") \(error.detail ?? "")".trimmed
    }
  }

  /// Creates Ann, her group `g`, and an invite token.
  ///
  /// The other users join one after another.
  func found(_ others: String...) async throws {
    try await users("ann")
    try await call("create_group('ann', 'g', 'Early birds')")
    try await call("create_invite('ann', 'g', '\(Self.token)')")
    for other in others {
      try await users(other)
      try await call("join_group('\(other)', '\(Self.token)')")
    }
  }

  /// The token of ``found(_:)``.
  static let token = String(repeating: "0123456789abcdef", count: 2)

  /// Returns the current members with their roles.
  func members(of group: String = "g") async throws -> [String] {
    try await lines(
      """
      select user_id || ' ' || role from member
      where group_id = '\(group)' and left_at is null order by joined_at, user_id
      """)
  }

  /// Returns the current group of each user as the user's phone reads the group, or `none`.
  func currentGroups(_ users: String...) async throws -> [String] {
    var groups: [String] = []
    for user in users {
      groups += try await lines(
        "select coalesce((get_user('\(user)')).current_group_id, 'none')")
    }
    return groups
  }

  /// Returns violations of the invariants in docs/gymrats/groups.md.
  func broken() async throws -> [String] {
    try await lines(
      """
      select 'count of ' || g.id from groups g
      where g.member_count
        <> (select count(*) from member m where m.group_id = g.id and m.left_at is null)
      union all
      select 'inactive with members: ' || g.id from groups g
      where not g.is_active and g.member_count > 0
      union all
      select 'active group of ' || coalesce(m.user_id, a.user_id)
      from (select * from member where left_at is null) m
      full join active_group a on a.user_id = m.user_id and a.group_id = m.group_id
      where m.user_id is null or a.user_id is null
      union all
      select 'times of ' || m.user_id from member m
      where (m.left_at is null) <> exists (
        select from membership i
        where i.group_id = m.group_id and i.user_id = m.user_id and i.left_at is null)
      union all
      select 'no admin in ' || g.id from groups g
      where g.is_active and g.member_count > 0 and g.created_by is not null and not exists (
        select from member m where m.group_id = g.id and m.left_at is null and m.role = 'admin')
      union all
      select 'open board of ' || g.id from groups g
      join challenge c on c.group_id = g.id and c.state = 'open' where not g.is_active
      union all
      select 'shown after leaving: ' || e.user_id
      from entry e
      join challenge c on c.id = e.challenge_id and c.state = 'open'
      join member m on m.group_id = c.group_id and m.user_id = e.user_id
      where m.left_at is not null and not e.hidden
      """)
  }
}

extension String {
  /// The text without spaces at the end.
  fileprivate var trimmed: String {
    String(reversed().drop { $0 == " " }.reversed())
  }
}
