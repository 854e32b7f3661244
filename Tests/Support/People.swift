import BatonPostgres

/// Creates members of groups and their workouts in the same way as an API.
package struct People: Sendable {
  private let schema: TestSchema

  /// Creates a helper for a schema.
  package init(_ schema: TestSchema) { self.schema = schema }

  /// Creates a user, creates the group if the group is missing, and makes the user a member of the
  /// group.
  ///
  /// - Parameter joinedAt: the instant of joining, as SQL. By default, the instant is long ago.
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

  /// Records a workout at the current instant, or at an instant that is given as SQL, and returns
  /// the outcome.
  ///
  /// - Throws: `PostgresError`.
  package func record(
    _ user: String, _ workout: String, at: String = "now()"
  ) async throws -> String {
    let outcome = try await schema.sql(
      "select outcome::text from record_workout('\(user)', '\(workout)', \(at), 0)")
    return outcome.first ?? "no answer"
  }

  /// Returns the published number of a user's check-ins in all weeks, or 0 if nothing is published.
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
