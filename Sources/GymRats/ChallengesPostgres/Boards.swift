public import BatonPostgres
public import Challenges
import ChallengesSQL
import Foundation

/// Reads published boards.
public struct Boards: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// Creates a reader of a schema's boards.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Returns standings, ordered by group, week, type and position.
  ///
  /// - Parameters:
  ///   - group: The id or the name of a group, or nil for every group.
  ///   - week: The date of any day in the week, as `YYYY-MM-DD`, or nil for every week.
  ///   - type: The type of board, or nil for both types.
  /// - Throws: `PostgresError`.
  public func standings(
    group: String?, week: String?, type: ChallengeType?
  ) async throws(PostgresError) -> [Standing] {
    let list = Call.rows(
      SQL.Leaderboard.listBoards, group, week, type?.rawValue, decode: Self.standing)
    return try await connection.atomically(in: schema, list)
  }

  /// Executes `body` with the same standings as ``standings(group:week:type:)``, in pages from one
  /// snapshot.
  ///
  /// The memory that a page needs does not depend on the number of boards. The snapshot's
  /// transaction stays open until `body` returns.
  ///
  /// - Throws: `PostgresError`, or any error that `body` throws.
  package func inPages<R>(
    group: String?, week: String?, type: ChallengeType?,
    _ body: (StandingPages) async throws -> R
  ) async throws -> R {
    try await connection.transaction(in: schema) { transaction in
      try await transaction.run(.run(SQL.Leaderboard.openBoards, group, week, type?.rawValue))
      return try await body(StandingPages(transaction))
    }
  }

  /// Returns the standings of boards within a transaction, including its uncommitted changes.
  ///
  /// - Parameter challenges: The ids of challenges. Strings that are not ids are ignored.
  /// - Throws: `PostgresError`.
  public static func standings(
    of challenges: [String], in transaction: Transaction
  ) async throws(PostgresError) -> [Standing] {
    let ids = challenges.compactMap { UUID(uuidString: $0) }
    let list = Call.rows(SQL.Leaderboard.listStandings, ids, decode: standing)
    return try await transaction.run(list)
  }

  /// Returns a call that reads the standings of all boards that were closed at a given time on the
  /// domain clock.
  public static func closed(at instant: Timestamp) -> Call<[Standing]> {
    .rows(SQL.Leaderboard.listClosedBoards, instant, decode: standing)
  }

  fileprivate static func standing(_ row: Row) throws(PostgresError) -> Standing {
    let (group, week, type, member, value, rank, position, before, user) = try row.decode(
      String.self, String.self, String.self, String.self, Int32.self, Int32.self, Int32.self,
      Int32?.self, String.self)
    return Standing(
      group: group, weekStart: week, type: type, userID: user, member: member, value: value,
      rank: rank, position: position, rankBefore: before)
  }

  /// Returns whether a group exists, and the latest week for which it has standings.
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

/// The standings on boards, in pages from one snapshot.
package struct StandingPages: Sendable {
  private let transaction: Transaction

  fileprivate init(_ transaction: Transaction) { self.transaction = transaction }

  /// Returns up to 1,000 of the next standings, or an empty list after the last standing.
  ///
  /// - Throws: `PostgresError`.
  package func next() async throws(PostgresError) -> [Standing] {
    let fetch = Call.rows(SQL.Leaderboard.fetchBoards, decode: Boards.standing)
    return try await transaction.run(fetch)
  }

  /// Moves back to the snapshot's first standing.
  ///
  /// - Throws: `PostgresError`.
  package func rewind() async throws(PostgresError) {
    try await transaction.run(.run(SQL.Leaderboard.rewindBoards))
  }
}

/// One member's rank on one board.
public struct Standing: Sendable {
  /// The group's id.
  public let group: String
  /// The date of the week's Monday, as `YYYY-MM-DD`.
  public let weekStart: String
  /// The type of board: `check-ins` or `streak`.
  public let type: String
  /// The member's id.
  ///
  /// Two members may have the same name, so only the id identifies a member.
  public let userID: String
  /// The member's name on the board.
  public let member: String
  /// The number of workouts, or the length of the streak in days.
  public let value: Int32
  /// The member's rank, starting at 1.
  ///
  /// Members with the same value share a rank.
  public let rank: Int32
  /// The member's unique position on the board, starting at 1.
  public let position: Int32
  /// The rank on the previous week's board, or nil if the member was not on that board.
  public let rankBefore: Int32?

  /// The standing as one line of a replay: `group`, `week_start`, `type`, `member`, `value`,
  /// `rank`, `position`.
  ///
  /// - Throws: An encoding error.
  public var jsonLine: String {
    get throws { "{\(try fields)}" }
  }

  /// The standing as one line of JSON that also contains `user_id` and `rank_before`.
  ///
  /// The rank in the previous week is null if the member was not on that week's board.
  ///
  /// - Throws: An encoding error.
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
  /// The string as a JSON literal with quotation marks.
  fileprivate var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .withoutEscapingSlashes
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
