import BatonPostgres
import RunnerSQL
import TestSupport

/// A development database of a test's own, whose clock the test sets.
///
/// Times are written in the format of PostgreSQL, in UTC: `2024-06-05 12:00`.
struct Gym: Sendable {
  let test: TestSchema
  let connection: Connection

  var schema: Schema { test.schema }

  /// Runs `body` in a new database whose clock shows the given instant.
  static func open<R>(at clock: String, _ body: (Gym) async throws -> R) async throws -> R {
    try await TestSchema.with { try await open(in: $0, at: clock, body) }
  }

  /// Runs `body` in a new schema whose clock shows the given instant.
  static func open<R>(
    in test: TestSchema, at clock: String, _ body: (Gym) async throws -> R
  ) async throws -> R {
    let gym = Gym(test: test, connection: try await test.connect())
    let begin = Statement(
      "test/begin",
      """
      insert into development (clock, fires_schedules) values ($1::text::timestamptz, false)
      """)
    let result: Result<R, any Error>
    do {
      try await gym.connection.atomically(
        in: test.schema, .run(begin, clock), .run(SQL.Clock.replaceDomainNow))
      result = .success(try await body(gym))
    } catch {
      result = .failure(error)
    }
    await gym.connection.close()
    return try result.get()
  }

  /// Databases with the roles of docs/reference/roles.md, on a separate server.
  static let roles = RoleTemplate("gym", parts: TestSchema.parts)

  /// Sets the clock.
  func stand(at clock: String) async throws {
    try await run("update development set clock = '\(clock)'")
  }

  /// Runs one statement and ignores its result.
  func run(_ text: String, on other: Connection? = nil) async throws {
    try await (other ?? connection).atomically(in: schema, .test(text))
  }

  /// Runs a query with one text column.
  func lines(_ text: String, on other: Connection? = nil) async throws -> [String] {
    try await (other ?? connection).atomically(in: schema, .lines(text))
  }

  /// Creates a user who joins a group.
  ///
  /// A new group is created.
  func join(
    _ user: String, _ group: String = "g", at joinedAt: String = "2000-01-01", zone: String? = nil
  ) async throws {
    try await connection.atomically(
      in: schema,
      .run(
        Statement(
          "test/user", "insert into users (id, display_name, time_zone) values ($1, $1, $2)"),
        user, zone),
      .run(
        Statement(
          "test/group",
          "insert into groups (id, name, max_members) values ($1, $1, 1000) on conflict do nothing"),
        group),
      .run(
        Statement(
          "test/member",
          """
          insert into member (group_id, user_id, joined_at)
          values ($1, $2, $3::text::timestamptz)
          """),
        group, user, joinedAt))
  }

  /// Records a workout.
  ///
  /// The answer contains the outcome, the reason, the week, and whether it is a replay.
  @discardableResult
  func record(
    _ workout: String?, by user: String? = "ann", at time: String? = nil, offset: Int32? = nil,
    revision: Int32? = 0, on other: Connection? = nil
  ) async throws -> String {
    try await (other ?? connection).atomically(
      in: schema, .record(workout, by: user, at: time, offset: offset, revision: revision))
  }

  /// Deletes a workout.
  ///
  /// The answer has the form of ``record(_:by:at:offset:revision:on:)``.
  @discardableResult
  func delete(
    _ workout: String, by user: String = "ann", revision: Int32? = nil, on other: Connection? = nil
  ) async throws -> String {
    try await (other ?? connection).atomically(
      in: schema, .delete(workout, by: user, revision: revision))
  }

  /// Returns a member's entries on every board: week, type, value, and the time at which it was
  /// reached.
  func entries(of user: String = "ann") async throws -> [String] {
    try await lines(
      """
      select concat_ws(' ', c.week_start, c.type, e.value, 'at',
        to_char(e.reached_at, 'DD HH24:MI'))
      from entry e join challenge c on c.id = e.challenge_id
      where e.user_id = '\(user)' order by c.week_start, c.type
      """)
  }

  /// Returns a board's standings by position: `position rank user value`.
  func standings(_ week: String, _ type: String = "check-ins", _ group: String = "g") async throws
    -> [String]
  {
    try await lines(
      """
      select concat_ws(' ', s.position, s.rank, s.user_id, s.value) from standing s
      where s.challenge_id = challenge_id('\(group)', '\(week)', '\(type)') order by s.position
      """)
  }
}

extension Call where Output == Void {
  /// Returns a statement of a test whose result is ignored.
  static func test(_ text: String) -> Call { .run(Statement("test/\(text.byteHash)", text)) }
}

extension Call where Output == [String] {
  /// Returns a query of a test with one text column.
  static func lines(_ text: String) -> Call {
    .rows(Statement("test/lines/\(text.byteHash)", text)) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
  }
}

extension Call where Output == String {
  /// Returns a call of `record_workout`.
  ///
  /// See ``Gym/record(_:by:at:offset:revision:on:)``.
  static func record(
    _ workout: String?, by user: String?, at time: String? = nil, offset: Int32? = nil,
    revision: Int32? = 0
  ) -> Call {
    .row(
      Statement(
        "test/record",
        """
        select concat_ws(' ', outcome, reason, week_start, case when is_replayed then 'again' end)
        from record_workout($1, $2, $3::text::timestamptz, $4, $5)
        """), user, workout, time, offset, revision
    ) { (row) throws(PostgresError) in try row.decode(String.self) }
  }
}

extension Statement {
  /// A call of `delete_workout`: its outcome, reason and week, and whether it is a replay.
  static let deletion = Statement(
    "test/delete",
    """
    select concat_ws(' ', outcome, reason, week_start, case when is_replayed then 'again' end)
    from delete_workout($1, $2, $3)
    """)
}

extension Call where Output == String {
  /// Returns a call of `delete_workout`.
  ///
  /// See ``Postgres/Statement/deletion``.
  static func delete(_ workout: String, by user: String = "ann", revision: Int32? = nil) -> Call {
    .row(.deletion, user, workout, revision) { (row) throws(PostgresError) in
      try row.decode(String.self)
    }
  }
}

extension String {
  /// A number for the text's bytes, because a String's own hash is equal for two spellings of a
  /// letter.
  fileprivate var byteHash: Int { Array(utf8).hashValue }
}
