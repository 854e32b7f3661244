public import BatonPostgres
import ChallengesSQL

/// Reads groups and their members for an operator.
public struct GroupList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// Creates a reader of a schema's groups.
  ///
  /// While the reader is in use, no other task may use the connection.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// The maximum number of groups that one call returns.
  public static let page = 1_000

  /// Returns the group with the given id, or nil if it does not exist.
  ///
  /// - Throws: `PostgresError`.
  public func group(_ id: String) async throws(PostgresError) -> GroupSummary? {
    try await list(id, after: "").first
  }

  /// Returns the next ``page`` groups after the given id, ordered by id.
  ///
  /// - Throws: `PostgresError`.
  public func groups(after last: String) async throws(PostgresError) -> [GroupSummary] {
    try await list(nil, after: last)
  }

  private func list(
    _ group: String?, after last: String
  ) async throws(PostgresError) -> [GroupSummary] {
    let list = Call.rows(SQL.Groups.listGroups, group, last, Int64(Self.page)) {
      (row) throws(PostgresError) in
      let (id, name, members, most, isActive, open, settling, closed, cancelled) = try row.decode(
        String.self, String.self, Int32.self, Int32.self, Bool.self, Int64.self, Int64.self,
        Int64.self, Int64.self)
      return GroupSummary(
        id: id, name: name, members: members, maxMembers: most, isActive: isActive, open: open,
        settling: settling, closed: closed, cancelled: cancelled)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Returns the current and the former members of a group, current members first.
  ///
  /// - Throws: `PostgresError`.
  public func members(of group: String) async throws(PostgresError) -> [ListedMember] {
    let list = Call.rows(SQL.Groups.listMembers, group) { (row) throws(PostgresError) in
      let (user, name, role, joined, left, isMuted, shares) = try row.decode(
        String.self, String.self, String.self, String.self, String?.self, Bool.self, Bool.self)
      return ListedMember(
        user: user, name: name, role: role, joinedAt: joined, leftAt: left, isMuted: isMuted,
        sharesWorkouts: shares)
    }
    return try await connection.atomically(in: schema, list)
  }
}

/// A group with the data that an operator sees.
public struct GroupSummary: Sendable, Encodable {
  /// The group's id and name.
  ///
  /// Group names are not unique.
  public let id, name: String
  /// The current and the maximum number of members.
  public let members, maxMembers: Int32
  /// Whether the group is active.
  public let isActive: Bool
  /// The number of boards in each of the four states.
  ///
  /// A board is settling if its week has ended but it has not been closed.
  public let open, settling, closed, cancelled: Int64
}

/// A current or former member of a group.
public struct ListedMember: Sendable, Encodable {
  /// The user's id, the user's name, and the role `admin` or `member`.
  public let user, name, role: String
  /// The time when the user joined, in UTC and ISO 8601 format.
  public let joinedAt: String
  /// The time when the user left, in UTC and ISO 8601 format, or nil for a current member.
  public let leftAt: String?
  /// Whether the member has muted rank notifications, and whether the member shares workouts.
  public let isMuted, sharesWorkouts: Bool
}
