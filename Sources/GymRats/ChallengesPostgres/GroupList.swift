public import BatonPostgres
import ChallengesSQL

/// The groups as an operator sees them.
public struct GroupList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// The groups of a schema, on a connection that has no other use meanwhile.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Groups by id.
  ///
  /// - Parameter group: a group's id; nil: all.
  /// - Throws: `PostgresError`.
  public func groups(_ group: String?) async throws(PostgresError) -> [GroupSummary] {
    let list = Call.rows(SQL.Groups.listGroups, group) { (row) throws(PostgresError) in
      let (id, name, members, most, isActive, open, settling, closed, cancelled) = try row.decode(
        String.self, String.self, Int32.self, Int32.self, Bool.self, Int64.self, Int64.self,
        Int64.self, Int64.self)
      return GroupSummary(
        id: id, name: name, members: members, maxMembers: most, isActive: isActive, open: open,
        settling: settling, closed: closed, cancelled: cancelled)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Who is or was a member of a group, members first.
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

/// One group.
public struct GroupSummary: Sendable, Encodable {
  /// Its id and its name; two groups may have one name.
  public let id, name: String
  /// Members now, and the most there may be.
  public let members, maxMembers: Int32
  /// Whether it goes on.
  public let isActive: Bool
  /// Boards by state; settling: over and not closed.
  public let open, settling, closed, cancelled: Int64
}

/// Who is or was a member.
public struct ListedMember: Sendable, Encodable {
  /// The user's id and name, and `admin` or `member`.
  public let user, name, role: String
  /// Since when, ISO 8601 in UTC.
  public let joinedAt: String
  /// Until when; nil: still.
  public let leftAt: String?
  /// Is told of no ranks; lets workouts be seen.
  public let isMuted, sharesWorkouts: Bool
}
