public import BatonPostgres
public import Challenges
import ChallengesSQL
import Foundation

/// The boards as they are published, for reading.
public struct Boards: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// The boards of a schema.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Standings by group, week, type and position.
  ///
  /// - Parameters:
  ///   - group: a group's id or name; nil: every group.
  ///   - week: any day of a week as `YYYY-MM-DD`; nil: every week.
  ///   - type: nil: both.
  /// - Throws: `PostgresError`.
  public func standings(
    group: String?, week: String?, type: ChallengeType?
  ) async throws(PostgresError) -> [Standing] {
    let list = Call.rows(
      SQL.Leaderboard.listBoards, group, week, type?.rawValue, decode: Self.standing)
    return try await connection.atomically(in: schema, list)
  }

  /// The standings of single boards as a transaction sees them, also before it commits.
  ///
  /// - Parameter challenges: ids of challenges; what is not an id is passed over.
  /// - Throws: `PostgresError`.
  public static func standings(
    of challenges: [String], in transaction: Transaction
  ) async throws(PostgresError) -> [Standing] {
    let ids = challenges.compactMap { UUID(uuidString: $0) }
    let list = Call.rows(SQL.Leaderboard.listStandings, ids, decode: standing)
    return try await transaction.run(list)
  }

  /// Standings of boards as they closed at an instant of domain time.
  public static func closed(at instant: Timestamp) -> Call<[Standing]> {
    .rows(SQL.Leaderboard.listClosedBoards, instant, decode: standing)
  }

  private static func standing(_ row: Row) throws(PostgresError) -> Standing {
    let (group, week, type, member, value, rank, position, before, user) = try row.decode(
      String.self, String.self, String.self, String.self, Int32.self, Int32.self, Int32.self,
      Int32?.self, String.self)
    return Standing(
      group: group, weekStart: week, type: type, userID: user, member: member, value: value,
      rank: rank, position: position, rankBefore: before)
  }

  /// Whether a group is there, and the newest week in which it has a standing.
  ///
  /// - Throws: `PostgresError`.
  public func newestWeek(
    of group: String
  ) async throws(PostgresError) -> (groupExists: Bool, week: String?) {
    let find = Call.row(SQL.Leaderboard.newestWeek, group) { (row) throws(PostgresError) in
      let (exists, week) = try row.decode(Bool.self, String?.self)
      return (groupExists: exists, week: week)
    }
    return try await connection.atomically(in: schema, find)
  }
}

/// One member's place on one board.
public struct Standing: Sendable {
  /// The group's id.
  public let group: String
  /// The Monday, `YYYY-MM-DD`.
  public let weekStart: String
  /// `check-ins` or `streak`.
  public let type: String
  /// The member's id: two members may have one name.
  public let userID: String
  /// The member's name as the board shows it.
  public let member: String
  /// Workouts, or the length of the streak.
  public let value: Int32
  /// From 1; equal values share a rank.
  public let rank: Int32
  /// From 1, unique.
  public let position: Int32
  /// The rank on the board of the week before, where the member was on it.
  public let rankBefore: Int32?

  /// What a replay writes down: `group`, `week_start`, `type`, `member`, `value`, `rank`, `position`.
  ///
  /// - Throws: an encoding error.
  public var jsonLine: String {
    get throws { "{\(try fields)}" }
  }

  /// The same with `user_id` and `rank_before`, the rank in the week before; null: on no board then.
  ///
  /// - Throws: an encoding error.
  public var fullJSONLine: String {
    get throws {
      let before = rankBefore.map(String.init) ?? "null"
      return "{\(try fields),\"user_id\":\(try userID.json),\"rank_before\":\(before)}"
    }
  }

  private var fields: String {
    get throws {
      """
      "group":\(try group.json),"week_start":"\(weekStart)","type":"\(type)",\
      "member":\(try member.json),"value":\(value),"rank":\(rank),"position":\(position)
      """
    }
  }
}

extension String {
  /// The string as JSON writes it, quotes included.
  fileprivate var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
