public import BatonPostgres
public import Challenges
import ChallengesSQL

/// Reads and reopens weeks for an operator.
public struct WeekList: Sendable {
  private let connection: Connection
  private let schema: Schema

  /// Creates a reader of a schema's weeks.
  ///
  /// While the reader is in use, no other task may use the connection.
  public init(_ connection: Connection, schema: Schema) {
    self.connection = connection
    self.schema = schema
  }

  /// Returns the weeks with boards, newest first.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of weeks.
  ///   - most: The maximum number of boards that are counted for each state, or nil to count all
  ///     boards. The time needed to count all boards grows with their number.
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

  /// Returns sessions whose transactions have held locks on boards for at least the given time.
  ///
  /// A group whose boards are locked is skipped when a week is closed.
  ///
  /// - Parameter seconds: The minimum duration of a transaction in seconds.
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

  /// Returns the end of a week's grace period, and whether it is over.
  ///
  /// - Throws: `PostgresError`.
  public func closesAt(_ week: Week) async throws(PostgresError) -> (at: String, isOver: Bool) {
    let read = Call.row(SQL.Weeks.closesAt, week.startDay) { (row) throws(PostgresError) in
      try row.decode(String.self, Bool.self)
    }
    let (at, isOver): (String, Bool) = try await connection.atomically(in: schema, read)
    return (at, isOver)
  }

  /// Reopens the boards of a group's closed week.
  ///
  /// The audit log records that the boards were reopened.
  ///
  /// - Parameter sayWho: A call that sets the responsible operator for the audit log.
  /// - Returns: The number of reopened boards.
  /// - Throws: `PostgresError`, for example ZB020 if the reason is missing, ZB021 if the reason is
  ///   too long, or ZB022 if no board is closed.
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

/// A summary of one week across all groups.
public struct WeekSummary: Sendable, Encodable {
  /// The date of the week's Monday, as `YYYY-MM-DD`.
  public let weekStart: String
  /// The label of the ISO week for display.
  public let label: String
  /// The number of boards in each of the four states.
  ///
  /// A board is settling if its week has ended but it has not been closed.
  public let open, settling, closed, cancelled: Int64
  /// The time when the last board was closed, in UTC and ISO 8601 format.
  public let closedAt: String?
  /// The number of seconds since the end of the grace period, or 0 if no board is overdue for
  /// closing.
  public let behindSeconds: Int64
}

/// A session that has locked boards.
public struct BoardHolder: Sendable, Encodable {
  /// The id of the session's server process.
  public let pid: Int32
  /// The session's user and application name.
  public let user, application: String
  /// How long the session's transaction has been open, in seconds.
  ///
  /// The value is nil if the reader's role cannot see the duration. Sessions with an unknown
  /// duration are returned even if their transactions are short.
  public let seconds: Int64?
  /// The first 120 characters of the session's query, provided that the reader's role may see it.
  public let query: String
}
