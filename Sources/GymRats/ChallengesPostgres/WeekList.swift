public import BatonPostgres
public import Challenges
import ChallengesSQL

/// The weeks as an operator sees them.
public struct WeekList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// The weeks of a schema, on a connection that has no other use meanwhile.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Weeks with boards, newest first.
  ///
  /// - Parameters:
  ///   - limit: how many weeks.
  ///   - most: up to how many boards of each state are counted; nil: all of them, which takes as long as there are
  ///     boards.
  /// - Throws: `PostgresError`.
  public func weeks(
    limit: Int, countingTo most: Int? = nil
  ) async throws(PostgresError) -> [WeekSummary] {
    let list = Call.rows(
      SQL.Weeks.listWeeks, Int64(limit), most.map { Int64($0) }
    ) { (row) throws(PostgresError) in
      let (monday, label, open, settling, closed, cancelled, at, behind) = try row.decode(
        String.self, String.self, Int64.self, Int64.self, Int64.self, Int64.self, String?.self,
        Int64.self)
      return WeekSummary(
        weekStart: monday, label: label, open: open, settling: settling, closed: closed,
        cancelled: cancelled, closedAt: at, behindSeconds: behind)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// Sessions that have held boards for long: the close passes their groups by.
  ///
  /// - Parameter seconds: more than so many are long.
  /// - Throws: `PostgresError`.
  public func holders(for seconds: Int) async throws(PostgresError) -> [BoardHolder] {
    let list = Call.rows(SQL.Weeks.listHolders, Int64(seconds)) { (row) throws(PostgresError) in
      let (pid, user, application, seconds, query) = try row.decode(
        Int32.self, String.self, String.self, Int64?.self, String.self)
      return BoardHolder(
        pid: pid, user: user, application: application, seconds: seconds, query: query)
    }
    return try await connection.atomically(in: schema, list)
  }

  /// When a week closes, grace included, and whether that is over.
  ///
  /// - Throws: `PostgresError`.
  public func closesAt(_ week: Week) async throws(PostgresError) -> (at: String, isOver: Bool) {
    let read = Call.row(SQL.Weeks.closesAt, week.startDay) { (row) throws(PostgresError) in
      try row.decode(String.self, Bool.self)
    }
    let (at, isOver): (String, Bool) = try await connection.atomically(in: schema, read)
    return (at, isOver)
  }

  /// Reopens the boards of a group's closed week; the audit has a row of it.
  ///
  /// - Parameter sayWho: tells the transaction who does it.
  /// - Returns: how many boards.
  /// - Throws: `PostgresError`: ZB020 no reason, ZB021 too long, ZB022 no closed board.
  public func reopen(
    group: String, monday: String, reason: String, seconds: Int64, sayWho: Call<Void>
  ) async throws(PostgresError) -> Int {
    let reopen = Call.row(SQL.Weeks.reopenWeek, group, monday, reason, seconds) {
      (row) throws(PostgresError) in try row.decode(Int32.self)
    }
    let (_, boards): (Void, Int32) = try await connection.atomically(in: schema, sayWho, reopen)
    return Int(boards)
  }
}

/// One week over all groups.
public struct WeekSummary: Sendable, Encodable {
  /// The Monday, `YYYY-MM-DD`.
  public let weekStart: String
  /// ISO label, for people.
  public let label: String
  /// Boards by state; settling: over and not closed.
  public let open, settling, closed, cancelled: Int64
  /// When the last one was closed, ISO 8601 in UTC.
  public let closedAt: String?
  /// Seconds since the grace was over and a board was not closed.
  public let behindSeconds: Int64
}

/// A session that holds boards.
public struct BoardHolder: Sendable, Encodable {
  /// Its server process.
  public let pid: Int32
  /// Its user and application.
  public let user, application: String
  /// For how long its transaction has been open; nil: this role may not see it, and it may be short.
  public let seconds: Int64?
  /// The beginning of what it runs, where the role may see it.
  public let query: String
}
