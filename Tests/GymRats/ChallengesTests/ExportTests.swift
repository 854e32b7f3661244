import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests the export of the data that is stored about a user.
///
/// docs/reference/privacy.md lists the parts.
@Suite(.timeLimit(.minutes(5))) struct ExportTests {
  /// Returns all pieces of an export as `part row`.
  private func export(_ user: String, _ gym: Gym) async throws -> [String] {
    let position = "nullif(p -> 'next', 'null')"
    return try await gym.lines(
      """
      with recursive piece as (
        select export_my_data('\(user)') as p
        union all
        select export_my_data('\(user)', \(position)) from piece where \(position) is not null
      )
      select concat_ws(' ', p ->> 'part', r) from piece
      left join lateral jsonb_array_elements(p -> 'rows') r on true
      """)
  }

  @Test func `an export contains all workouts once, in pieces of at most 500 rows`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found("bob")
      for user in ["ann", "bob"] {
        try await gym.run(
          """
          insert into workout (user_id, workout_id, revision, group_id, performed_at, utc_offset_s,
            local_date, week_start, counted, outcome, received_at)
          select '\(user)', 'w' || n, 0, 'g', domain_now(), 0, '2024-06-05', '2024-06-03', true,
            'accepted', domain_now()
          from generate_series(1, 1500) n
          """)
      }
      let workouts = try await export("ann", gym).filter { $0.hasPrefix("workouts {") }
      #expect(workouts.count == 1_500 && Set(workouts).count == 1_500)
      let most = try await gym.lines(
        """
        select jsonb_array_length(export_my_data('ann', '{"part": "workouts"}') -> 'rows')::text
        """)
      #expect(most == ["500"])
    }
  }

  @Test func `an export has the user's rows of each table, and of no other user`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.found("bob")
      try await gym.run("insert into identity values ('apple', 'subject-1', 'ann')")
      try await gym.call("update_profile('bob', 'Bobby Secret', null)")
      try await gym.record("w1")
      try await gym.record("w1", at: "2024-06-05 12:00Z", revision: 1)
      try await gym.record("secret", by: "bob")
      try await gym.publishAll()
      for call in [
        "report_client_event('ann', gen_random_uuid(), 'link_failed')",
        "block_user('ann', 'bob')", "block_user('bob', 'ann')",
        "register_push_device('ann', 'fcm', 'secret-token')",
        "set_push_settings('ann', '{new_member}')",
        "report_user('ann', gen_random_uuid(), 'g', 'bob', 'spam', 'my note')",
        "report_user('bob', gen_random_uuid(), 'g', 'ann', 'spam', 'secret note')",
      ] { try await gym.call(call) }
      try await gym.run(
        """
        insert into reported_streak (user_id, group_id, week_start, streak_days, reported_at)
        values ('ann', 'g', '2024-06-03', 3, domain_now())
        """)
      try await gym.run(
        """
        insert into session (user_id, device, token_hash, created_at, expires_at)
        values ('ann', 'Phone', sha256('a'), domain_now(), domain_now() + interval '90 days')
        """)
      try await gym.run(
        """
        insert into sharing_pause (user_id, began_at, ended_at)
        values ('ann', domain_now() - interval '2 h', domain_now() - interval '1 h')
        """)
      try await gym.run(
        """
        insert into refused_edit (user_id, workout_id, revision, reason, week_start)
        values ('ann', 'w1', 2, 'weekClosed', '2024-06-03')
        """)
      let rows = try await export("ann", gym)
      let parts = Set(rows.filter { $0.contains("{") }.map { $0.prefix { $0 != " " } })
      #expect(
        parts == [
          "account", "identities", "memberships", "invites", "workouts", "revisions",
          "refusedEdits", "pauses", "streaks", "boards", "notifications", "devices",
          "pushSettings", "usage", "events", "blocks", "reports", "sessions",
        ])
      let text = rows.joined(separator: "\n")
      for own in ["subject-1", "my note", #""blocked_user": "bob""#, #""workout_id": "w1""#] {
        #expect(text.contains(own), "\(own)")
      }
      // Blocks and reports of other users, other users' data and hashes of tokens are left out.
      for other in ["secret", "token_hash", #""blocked_user": "ann""#, #""reported": "ann""#] {
        #expect(!text.contains(other), "\(other)")
      }
    }
  }

  @Test func `a position that no piece returned is refused by name`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      try await gym.users("ann")
      for position in [
        #"{"part": "secrets"}"#, #"{"part": "events", "key": ["x"]}"#,
        #"{"part": "invites", "key": [null, "x"]}"#,
      ] {
        #expect(
          try await gym.call("export_my_data('ann', '\(position)')") == "invalidInput",
          "\(position)")
      }
      for position in ["3", "[]", #""x""#, "{}", #"{"part": "usage", "key": {}}"#] {
        #expect(
          try await gym.call("export_my_data('ann', '\(position)') is not null") == "true",
          "\(position)")
      }
    }
  }
}
