import BatonPostgres
import Synchronization
import TestSupport
import Testing

/// Workouts that an API records during faults, and the boards that must result.
struct WorkoutLoad: Sendable {
  let schema: TestSchema
  var groups = 50
  let membersPerGroup = 4
  /// The maximum time that a writer waits for a server that accepts connections again.
  var longestOutage = Duration.seconds(30)

  /// Creates the groups, and lets their members join long ago.
  func join() async throws {
    let members =
      """
      select 'g' || g as group_id, 'u' || g || '-' || m as user_id
      from generate_series(1, \(groups)) g, generate_series(1, \(membersPerGroup)) m
      """
    for statement in [
      """
      insert into groups (id, name, max_members)
      select 'g' || g, 'g' || g, 100 from generate_series(1, \(groups)) g
      """,
      "insert into users (id, display_name) select user_id, user_id from (\(members)) m",
      "update setting set workouts_a_day = 10000",
      """
      insert into member (group_id, user_id, joined_at)
      select group_id, user_id, now() - interval '1 year' from (\(members)) m
      """,
    ] { try await schema.sql(statement) }
  }

  /// Records workouts on several connections until the test stops it, and returns the number of
  /// workouts.
  func record(
    writers: Int, _ random: Randomness, pause: Duration = .milliseconds(5),
    most: Int = .max, until isOver: @escaping @Sendable () -> Bool
  ) async throws -> Int {
    try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<writers {
        group.addTask {
          try await self.record("writer\(writer)", random, pause, most, until: isOver)
        }
      }
      return try await group.reduce(0, +)
    }
  }

  private func record(
    _ writer: String, _ random: Randomness, _ pause: Duration, _ most: Int,
    until isOver: () -> Bool
  ) async throws -> Int {
    let record = Statement(
      "test/record", "select outcome::text from record_workout($1, $2)")
    var connection = try await schema.connect()
    var recorded = 0
    while recorded < most, !isOver() {
      let user = "u\(random.number(in: 1...groups))-\(random.number(in: 1...membersPerGroup))"
      let call = Call.row(record, user, "\(writer)-\(recorded)") { (row) throws(PostgresError) in
        try row.decode(String.self)
      }
      // After a lost connection, the same workout is sent again. The second call has no effect,
      // because the id is the same.
      while true {
        do {
          let outcome = try await connection.atomically(in: schema.schema, call)
          try #require(outcome == "accepted")
          break
        } catch let error as PostgresError {
          guard error.sqlState.isTransient else { throw error }
          try await eventually("the server", within: longestOutage) {
            guard let opened = try? await schema.connect() else { return false }
            connection = opened
            return true
          }
        }
      }
      recorded += 1
      try await Task.sleep(for: pause)
    }
    await connection.close()
    return recorded
  }

  /// Expects that every recorded workout counts exactly once, and that the boards match their
  /// entries.
  func expectBoards(
    of workouts: Int, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let counted = try await schema.sql("select count(*) from workout where counted")
    #expect(counted == ["\(workouts)"], sourceLocation: sourceLocation)
    let miscounted = try await schema.sql(
      """
      select w.user_id, count(*) from workout w where w.counted group by 1
      having count(*) is distinct from (
        select sum(s.value) from standing s join challenge c on c.id = s.challenge_id
        where c.type = 'check-ins' and s.user_id = w.user_id)
      """)
    #expect(miscounted == [], sourceLocation: sourceLocation)
    let (lines, joined) = (try await recorded(), try await joinedAt())
    let expected = try await blocking { Oracle.boards(of: lines, joinedAt: joined) }
    let misplaced = Oracle.difference(expected: expected, actual: try await published())
    #expect(misplaced == [], sourceLocation: sourceLocation)
    #expect(try await schema.sql("select key from run") == [], sourceLocation: sourceLocation)
    let dead = try await schema.sql("select key, error from dead_run")
    #expect(dead == [], sourceLocation: sourceLocation)
  }

  /// Returns the contents of the ledger for the oracle, with the user's id as the name.
  private func recorded() async throws -> [CheckInLine] {
    try await schema.sql(
      """
      select group_id, user_id, (extract(epoch from performed_at) * 1000000)::bigint, utc_offset_s
      from workout where counted
      """
    ).map { row in
      let fields = row.split(separator: ",")
      let (instant, offset) = (Int64(fields[2]), Int(fields[3]))
      return CheckInLine(
        group: Array(fields[0].utf8), member: Array(fields[1].utf8),
        instant: try #require(instant), utcOffset: try #require(offset), line: 0)
    }
  }

  /// Returns the instant at which all members joined.
  private func joinedAt() async throws -> Int64 {
    let moments = try await schema.sql(
      "select distinct (extract(epoch from joined_at) * 1000000)::bigint from member")
    try #require(moments.count == 1)
    return try #require(Int64(moments[0]))
  }

  private func published() async throws -> [BoardRow] {
    try await schema.sql(
      """
      select group_id, to_char(week_start, 'YYYY-MM-DD'), type, user_id, value, rank, position
      from leaderboard
      """
    ).map { row in
      let fields = row.split(separator: ",").map(String.init)
      return BoardRow(
        group: Name(fields[0]), weekStart: fields[1],
        type: try #require(BoardRow.Kind(rawValue: fields[2])), member: Name(fields[3]),
        value: try #require(Int(fields[4])), rank: try #require(Int(fields[5])),
        position: try #require(Int(fields[6])))
    }
  }

  /// Makes each write of board_version slower, so that more faults hit such a write.
  func slowDown(milliseconds: Int) async throws {
    try await schema.slowDown(
      "after update", "board_version", seconds: Double(milliseconds) / 1000)
  }
}
