public import BatonPostgres
public import Challenges
import ChallengesSQL
public import ChallengesServer
import Foundation
import ProductKit

/// Reads stored week data so that an operator can find out what a board showed and why.
public struct KeptWeeks: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// Creates a reader of a schema's weeks.
  ///
  /// While the reader is in use, no other task may use the connection.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Returns the ids of all groups with the given id or name.
  ///
  /// - Throws: `PostgresError`.
  public func groups(named group: String) async throws(PostgresError) -> [String] {
    let find = Call.rows(SQL.History.findGroups, group) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await connection.atomically(in: schema, find)
  }

  /// Returns all users with the given id or name, each with the user's current group.
  ///
  /// - Throws: `PostgresError`.
  public func users(named user: String) async throws(PostgresError) -> [FoundUser] {
    let find = Call.rows(SQL.History.findUsers, user) { (row) throws(PostgresError) in
      let (id, name, group) = try row.decode(String.self, String.self, String?.self)
      return FoundUser(id: id, name: name, group: group)
    }
    return try await connection.atomically(in: schema, find)
  }

  /// Reads the stored data of a group's week in one snapshot, or returns nil if the group does not
  /// exist.
  ///
  /// - Parameters:
  ///   - group: The group's id.
  ///   - day: Any day in the week in the form `YYYY-MM-DD`, or nil for the current week.
  ///   - user: The user whose uncounted workouts are also read, or nil to read only counted
  ///     workouts.
  /// - Throws: `PostgresError` if a statement fails or if the server's response cannot be decoded.
  public func week(
    of group: String, holding day: String? = nil, explaining user: String? = nil
  ) async throws(PostgresError) -> KeptWeek? {
    let read = Call.rows(SQL.History.readWeek, group, day, user) { (row) throws(PostgresError) in
      let text: String = try row.decode(String.self)
      let decoder = JSONDecoder()
      decoder.keyDecodingStrategy = .convertFromSnakeCase
      do {
        return try decoder.decode(KeptWeek.self, from: Data(text.utf8))
      } catch {
        throw PostgresError(
          .dataException, "what is kept of a week cannot be read: \(error)",
          statement: SQL.History.readWeek.name)
      }
    }
    return try await connection.atomically(in: schema, read).first
  }
}

/// A user whom an operator specified by id or by name.
public struct FoundUser: Sendable {
  /// The user's id and name.
  ///
  /// User names are not unique.
  public let id, name: String
  /// The id of the user's current group.
  public let group: String?
}

extension KeptWeek {
  /// Returns the standings at a given time, ordered by type and position.
  ///
  /// - Parameters:
  ///   - instant: The time in microseconds since 1970.
  ///   - before: The group's previous week, which determines the members' previous ranks.
  ///   - type: The type of board, or nil for both types.
  public func standings(
    at instant: Int64, before: KeptWeek?, type: ChallengeType? = nil
  ) -> [Standing] {
    let earlier = before?.places(at: instant) ?? []
    return places(at: instant).filter { type == nil || $0.type == type }.map { place in
      Standing(
        group: group, weekStart: weekStart, type: place.type.rawValue, userID: place.user,
        member: place.name, value: Int32(place.value), rank: Int32(place.rank),
        position: Int32(place.position),
        rankBefore: earlier.first {
          $0.type == place.type && $0.user.hasSameBytes(as: place.user)
        }.map { Int32($0.rank) })
    }
  }
}
