import TestSupport
import Testing

/// Tests that with roles, retention may delete the old rows in each table, and no other rows.
@Suite(.timeLimit(.minutes(5))) struct RetentionRoleTests {
  /// Rows for each table that is purged row by row.
  ///
  /// `$` is their age in days.
  private static let gymrats = [
    "users (id, display_name) values ('u', 'U')",
    "groups (id, name, is_active, ended_at) values ('g$', 'G', false, now() - interval '$ days')",
    "member (group_id, user_id, joined_at, left_at) select 'g$', 'u$', at, at from old",
    "membership (group_id, user_id, joined_at, left_at) select 'g$', 'u$', at, at from old",
    "closed_week (group_id, week_start, is_told, closed_at) select 'g$', monday, false, at from old",
    """
    week_reopening (group_id, week_start, reason, reopened_by, reopened_at, reopened_until)
    select 'g$', monday, 'x', 'x', at, at from old
    """,
    """
    reported_streak (user_id, group_id, week_start, streak_days, reported_at)
    select 'u$', 'g$', monday, 1, at from old
    """,
    """
    invite (token_hash, group_id, created_by, created_at, expires_at)
    select sha256('$'), 'g$', 'u', at - interval '1 day', at from old
    """,
    "invite_attempt (user_id, began_at, attempts) select 'u$', at, 3 from old",
    """
    user_report (id, reported, group_id, reason, note, created_at)
    select gen_random_uuid(), 'u$', 'g$', 'spam', '', at from old
    """,
    """
    session (user_id, device, token_hash, created_at, expires_at)
    select 'u$', 'Phone', sha256('$'), at - interval '90 days', at from old
    """,
    """
    push_device (user_id, platform, environment, token, locale, registered_at)
    select 'u$', 'fcm', 'production', 't$', 'en', at from old
    """,
    "usage_log (recorded_at, kind, group_id) select at, 'group_created', 'g$' from old",
    "client_event (id, kind, recorded_at) select gen_random_uuid(), 'link_failed', at from old",
    """
    refused_edit (user_id, workout_id, revision, reason, week_start, refused_at)
    select 'u', 'w$', 1, 'weekClosed', monday, at from old
    """,
    """
    workout_revision (user_id, workout_id, revision, performed_at, utc_offset_s, local_date, week_start, counted,
      outcome, missed_board, is_deleted, received_at, superseded_at)
    select 'u', 'w$', 1, at, 0, monday, monday, true, 'accepted', false, false, at, at from old
    """,
    "sharing_pause (user_id, began_at, ended_at) select 'u$', at, at from old",
    """
    workout (user_id, workout_id, revision, group_id, performed_at, utc_offset_s, local_date, week_start, counted,
      outcome, received_at)
    select 'u$', 'w', 0, 'x', at, 0, at::date, monday, true, 'accepted', at from old
    """,
    """
    workout_day (user_id, group_id, local_date, week_start, workouts, first_at, first_offset_s, last_at, last_offset_s)
    select 'u$', 'x', at::date, monday, 1, at, 0, at, 0 from old
    """,
  ]

  private static let whosThere = [
    "users (id, display_name, is_anonymous, created_at) select 'u$', 'U', true, at from old",
    """
    groups (id, name, latitude, longitude, radius, time_zone, is_active, ended_at)
    select 'g$', 'G', 0, 0, 100, 'UTC', false, at from old
    """,
    "member (group_id, user_id, joined_at, left_at) select 'g$', 'u$', at, at from old",
    """
    visit (user_id, group_id, arrival, departure, local_date, is_first)
    select 'u$', 'g$', at, at, at::date, true from old
    """,
    "first_arrival (group_id, local_date, user_id, arrived_at) select 'g$', at::date, 'u$', at from old",
    "visit_streak (user_id, begins, ends) select 'u$', at::date, at::date from old",
    """
    session (token_hash, user_id, device, created_at, expires_at)
    select sha256('$'), 'u$', 'Phone', at - interval '1 day', at from old
    """,
    """
    invite (code, group_id, created_at, expires_at, replaced_at)
    select lpad('$', 16, '0'), 'g$', at - interval '1 day', at, at from old
    """,
    "invite_attempt (user_id, began_at, attempts) select 'u$', at, 3 from old",
    """
    user_report (id, reported, group_id, reason, note, created_at)
    select gen_random_uuid(), 'u$', 'g$', 'spam', '', at from old
    """,
    """
    push_device (user_id, platform, environment, token, locale, registered_at)
    select 'u$', 'fcm', 'production', 't$', 'en', at from old
    """,
    """
    presence_command (user_id, id, group_id, action, source, asked_at, outcome, answered_at)
    select 'u$', gen_random_uuid(), 'g$', 'checkIn', 'manual', at, 'accepted', at from old
    """,
  ]

  private func insert(_ rows: [String], days: Int, in place: RolePlace) async throws {
    let old =
      """
      create temporary table old on commit drop as
      select at, date_trunc('week', at at time zone 'UTC')::date as monday
      from (select now() - interval '\(days) days' as at) a
      """
    // Triggers and references are disabled, so each row can exist alone.
    try await place.run(
      ([old, "set local session_replication_role = replica"]
        + rows.map { "insert into " + $0.replacing("$", with: "\(days)") }).joined(separator: ";"))
  }

  private func expectRetention(of rows: [String], in place: RolePlace) async throws {
    try await insert(rows, days: 500, in: place)
    try await insert(rows.filter { $0.contains("$") }, days: 5, in: place)
    let dry = try await place.gymrats(as: "worker").succeed("run", "retention", "--dry-run")
    try await place.gymrats(as: "worker").succeed("run", "retention")
    for row in rows where row.contains("$") {
      let table = String(row.prefix { $0 != " " })
      #expect(
        try await place.rows("select count(*)::text from \(table)") == ["1"], "\(table)")
      #expect(dry.contains(table) || ["membership", "workout_day"].contains(table), "\(table)")
    }
  }

  @Test(.sampled()) func `the role of retention deletes old rows of GymRats`() async throws {
    let place = try await RolePlace.make()
    try await place.run("update setting set workout_age = '400 days'")
    try await expectRetention(of: Self.gymrats, in: place)
  }

  @Test(.sampled()) func `the worker of Who's There deletes old rows`() async throws {
    let place = try await RolePlace.make(
      "there", executable: try BatonProgram.path(of: "whosthere"))
    try await expectRetention(of: Self.whosThere, in: place)
  }
}
