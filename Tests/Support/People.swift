import BatonPostgres

/// Members of groups in production, with their workouts, as an API would write them.
package struct People: Sendable {
  private let schema: TestSchema

  /// The people of a schema.
  package init(_ schema: TestSchema) { self.schema = schema }

  /// Makes a user and, where it is new, the group, and lets the user join it.
  ///
  /// - Parameter joinedAt: SQL for the instant; by default long ago.
  /// - Throws: `PostgresError`.
  package func join(
    _ user: String, group: String, joinedAt: String = "now() - interval '1 year'"
  ) async throws {
    try await schema.sql(
      """
      insert into groups (id, name, max_members) values ('\(group)', '\(group)', 100)
      on conflict do nothing
      """)
    try await schema.sql("insert into users (id, display_name) values ('\(user)', '\(user)')")
    try await schema.sql(
      """
      insert into member (group_id, user_id, joined_at) values ('\(group)', '\(user)', \(joinedAt))
      """)
  }

  /// Records a workout of now, or of the instant that the SQL gives; returns the outcome.
  ///
  /// - Throws: `PostgresError`.
  package func record(
    _ user: String, _ workout: String, at: String = "now()"
  ) async throws -> String {
    let outcome = try await schema.sql(
      "select outcome::text from record_workout('\(user)', '\(workout)', \(at), 0)")
    return outcome.first ?? "no answer"
  }

  /// The check-ins of a user in all weeks as they are published: 0 where nothing is.
  ///
  /// - Throws: `PostgresError`.
  package func published(_ user: String) async throws -> Int {
    let sum = try await schema.sql(
      """
      select coalesce(sum(value), 0) from leaderboard
      where user_id = '\(user)' and type = 'check-ins'
      """)
    return Int(sum.first ?? "") ?? -1
  }
}
