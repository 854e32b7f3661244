public import BatonPostgres
public import Challenges
import ChallengesSQL
public import ChallengesServer
import Foundation

/// What is kept of weeks, for an operator who asks what boards showed and why.
public struct KeptWeeks: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// The weeks of a schema, on a connection that has no other use meanwhile.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// The ids of the groups of an id or a name.
  ///
  /// - Throws: `PostgresError`.
  public func groups(named group: String) async throws(PostgresError) -> [String] {
    let find = Call.rows(SQL.History.findGroups, group) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
    return try await connection.atomically(in: schema, find)
  }

  /// The users of an id or a name, with the group in which each is a member now.
  ///
  /// - Throws: `PostgresError`.
  public func users(named user: String) async throws(PostgresError) -> [FoundUser] {
    let find = Call.rows(SQL.History.findUsers, user) { (row) throws(PostgresError) in
      let (id, name, group) = try row.decode(String.self, String.self, String?.self)
      return FoundUser(id: id, name: name, group: group)
    }
    return try await connection.atomically(in: schema, find)
  }

  /// What is stored of a group's week, in one snapshot; nil if the group does not exist.
  ///
  /// - Parameters:
  ///   - group: the group's id.
  ///   - day: any day of the week as `YYYY-MM-DD`; nil: the current week.
  ///   - user: also reads this user's workouts that count nowhere; nil: reads no such workouts.
  /// - Throws: `PostgresError`, also if the server's answer cannot be read.
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

/// A user as a person named them.
public struct FoundUser: Sendable {
  /// Their id and their name; two users may have one name.
  public let id, name: String
  /// The group in which they are a member now.
  public let group: String?
}

extension KeptWeek {
  /// The boards as they were at an instant, in order of type and position.
  ///
  /// - Parameters:
  ///   - instant: microseconds since 1970.
  ///   - before: the group's week before, for the ranks that a place is compared with.
  ///   - type: nil: both.
  public func standings(
    at instant: Int64, before: KeptWeek?, type: ChallengeType? = nil
  ) -> [Standing] {
    let earlier = before?.places(at: instant) ?? []
    return places(at: instant).filter { type == nil || $0.type == type }.map { place in
      Standing(
        group: group, weekStart: weekStart, type: place.type.rawValue, userID: place.user,
        member: place.name, value: Int32(place.value), rank: Int32(place.rank),
        position: Int32(place.position),
        rankBefore: earlier.first { $0.type == place.type && $0.user == place.user }
          .map { Int32($0.rank) })
    }
  }
}
