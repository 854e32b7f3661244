public import BatonPostgres
import PresenceSQL

/// The groups as an operator sees them.
public struct PlaceList: Sendable {
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
  public func groups(_ group: String?) async throws(PostgresError) -> [ListedPlace] {
    let list = Call.rows(SQL.Groups.listGroups, group) { (row) throws(PostgresError) in
      let (id, name, members, most, isPublic, isActive, zone) = try row.decode(
        String.self, String.self, Int32.self, Int32.self, Bool.self, Bool.self, String.self)
      return ListedPlace(
        id: id, name: name, members: members, maxMembers: most, isPublic: isPublic,
        isActive: isActive, timeZone: zone)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Who is or was a member of a group, members first.
  ///
  /// - Throws: `PostgresError`.
  public func members(of group: String) async throws(PostgresError) -> [ListedVisitor] {
    let list = Call.rows(SQL.Groups.listMembers, group) { (row) throws(PostgresError) in
      let (user, name, role, joined, left) = try row.decode(
        String.self, String.self, String.self, String.self, String?.self)
      return ListedVisitor(user: user, name: name, role: role, joinedAt: joined, leftAt: left)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Who is at a group's place, who came last first.
  ///
  /// - Throws: `PostgresError`.
  public func present(in group: String) async throws(PostgresError) -> [ListedPresence] {
    let list = Call.rows(SQL.Presence.listPresent, group) { (row) throws(PostgresError) in
      let (user, name, source, since, deadline) = try row.decode(
        String.self, String.self, String.self, String.self, String?.self)
      return ListedPresence(
        user: user, name: name, source: source, since: since, deadline: deadline)
    }
    return try await connection.atomically(in: schema, list)
  }
}

/// Who is at a group's place.
public struct ListedPresence: Sendable, Encodable {
  /// The user's id and name, and `manual` or `automatic`.
  public let user, name, source: String
  /// Since when, ISO 8601 in UTC.
  public let since: String
  /// When they are checked out; nil: not by the clock.
  public let deadline: String?
}

/// One group.
public struct ListedPlace: Sendable, Encodable {
  /// Its id and its name; two groups may have one name.
  public let id, name: String
  /// Members now, and the most there may be.
  public let members, maxMembers: Int32
  /// Whether any user may join, and whether the group still exists.
  public let isPublic, isActive: Bool
  /// Whose dates count.
  public let timeZone: String
}

/// Who is or was a member.
public struct ListedVisitor: Sendable, Encodable {
  /// The user's id and name, and `admin` or `member`.
  public let user, name, role: String
  /// Since when, ISO 8601 in UTC.
  public let joinedAt: String
  /// Until when; nil: still.
  public let leftAt: String?
}
