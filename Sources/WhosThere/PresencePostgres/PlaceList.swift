public import BatonPostgres
import PresenceSQL

/// Reads groups, members and presences for an operator.
public struct PlaceList: Sendable {
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
  public func group(_ id: String) async throws(PostgresError) -> ListedPlace? {
    try await list(id, after: "").first
  }

  /// Returns the next ``page`` groups after the given id, ordered by id.
  ///
  /// - Throws: `PostgresError`.
  public func groups(after last: String) async throws(PostgresError) -> [ListedPlace] {
    try await list(nil, after: last)
  }

  private func list(
    _ group: String?, after last: String
  ) async throws(PostgresError) -> [ListedPlace] {
    let list = Call.rows(SQL.Groups.listGroups, group, last, Int64(Self.page)) {
      (row) throws(PostgresError) in
      let (id, name, members, most, isPublic, isActive, zone) = try row.decode(
        String.self, String.self, Int32.self, Int32.self, Bool.self, Bool.self, String.self)
      return ListedPlace(
        id: id, name: name, members: members, maxMembers: most, isPublic: isPublic,
        isActive: isActive, timeZone: zone)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Returns the current and the former members of a group, current members first.
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

  /// Returns the users at a group's place, starting with the user who arrived last.
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

/// A user at a group's place.
public struct ListedPresence: Sendable, Encodable {
  /// The user's id, the user's name, and the source `manual` or `automatic`.
  public let user, name, source: String
  /// The check-in time in UTC, in ISO 8601 format.
  public let since: String
  /// The time of the automatic check-out, or nil if no deadline is set.
  public let deadline: String?
}

/// A group with the data that an operator sees.
public struct ListedPlace: Sendable, Encodable {
  /// The group's id and name.
  ///
  /// Group names are not unique.
  public let id, name: String
  /// The current and the maximum number of members.
  public let members, maxMembers: Int32
  /// Whether any user may join the group, and whether the group is active.
  public let isPublic, isActive: Bool
  /// The name of the time zone in which the group's dates are computed.
  public let timeZone: String
}

/// A current or former member of a group.
public struct ListedVisitor: Sendable, Encodable {
  /// The user's id, the user's name, and the role `admin` or `member`.
  public let user, name, role: String
  /// The time when the user joined, in UTC and ISO 8601 format.
  public let joinedAt: String
  /// The time when the user left, in UTC and ISO 8601 format, or nil for a current member.
  public let leftAt: String?
}
