import BatonPostgres
import TestSupport

/// A row for every existing table of a schema, and a later check of these rows.
struct SchemaRows {
  /// Statements by table, in an order in which referenced rows exist.
  private static let statements: KeyValuePairs = [
    "development": "insert into development (clock) values ('2024-06-05 12:00Z')",
    "job":
      "insert into job (name, topics, quiet, at_most) values ('old-job', '{old.topic}', '1 s', '1 m')",
    "job_limit": "insert into job_limit (job, concurrency) values ('old-job', 2)",
    "limit_start": "insert into limit_start (job, rested_at) values ('old-job', now())",
    "held_group": "insert into held_group (job, group_key, due) values ('old-job', 'g', now())",
    "recent_run": "insert into recent_run (job, key, free_at) values ('old-job', 'a', now())",
    "event_0": "insert into event_0 (topic, key, payload) values ('old.topic', 'a', '{\"n\": 1}')",
    "event_1": "insert into event_1 (topic, key) values ('old.topic', 'b')",
    "event_2": "insert into event_2 (topic, key) values ('old.topic', 'c')",
    "event_segment": "insert into event_segment (current) values (0)",
    "event_cursor": "insert into event_cursor default values",
    "event_position":
      "insert into event_position (snapshot, epoch) values (pg_current_snapshot(), 1)",
    "run": """
    insert into run (job, key, state, due, first_event_at, last_event_at, attempt, payload, token,
      worker, earlier_ids)
    values ('old-job', 'a', 'running', '2024-06-05Z', '2024-06-05Z', '2024-06-05Z', 2, '{}',
        gen_random_uuid(), gen_random_uuid(), '{7,8}'),
      ('old-job', 'a', 'ready', '2024-06-05Z', '2024-06-05Z', '2024-06-05Z', 0, null, null, null,
        null)
    """,
    "run_payload":
      "insert into run_payload (job, key, payload) values ('old-job', 'a', '{\"n\": 1}')",
    "run_progress": """
    insert into run_progress (run_id, started_at, duration_ms, report) values (8, now(), 1, '{"rows": 1}')
    """,
    "run_checkpoint": """
    insert into run_checkpoint (run_id, job, key, state, done, total)
    values (8, 'old-job', 'a', '{"position": 3}', 3, 5)
    """,
    "run_step": "insert into run_step (run_id, name, result) values (8, 'charge', '5')",
    "event_wait": """
    insert into event_wait (run_id, name, job, run_key, topic, event_key, expires_at, seen)
    values (8, 'paid', 'old-job', 'a', 'paid', 'a', '2024-06-06Z', 0)
    """,
    "sent_event": "insert into sent_event (topic, key, payload) values ('paid', 'a', '{\"n\": 1}')",
    "dead_run": """
    insert into dead_run (id, job, key, attempt, error) values (9, 'old-job', 'd', 3, 'it failed')
    """,
    "cancellation": "insert into cancellation (run_id, job, key) values (8, 'old-job', 'a')",
    "cancel_request": "insert into cancel_request (run_id, job, key) values (8, 'old-job', 'a')",
    "group_limit":
      "insert into group_limit (job, group_key, concurrency) values ('old-job', 'g', 1)",
    "job_grant": "insert into job_grant (job, role, may_cancel) values ('old-job', 'web', true)",
    "batch": "insert into batch (name, batch_job) values ('old-batch', 'old-job')",
    "batch_member":
      "insert into batch_member (batch, id, job, key) values (1, 8, 'old-job', 'a')",
    "failed_attempt": """
    insert into failed_attempt (run_id, job, key, attempt, worker, ended_at, error)
    values (8, 'old-job', 'a', 1, 'old', '2024-06-05Z', 'it failed')
    """,
    "worker": """
    insert into worker (id, name, is_direct, pid) values (gen_random_uuid(), 'old', false, 1)
    """,
    "job_alias": "insert into job_alias (name, job) values ('new-name', 'old-job')",
    "program_release": "insert into program_release (program, release) values ('old-program', 3)",
    "worker_death": "insert into worker_death (worker, was_trial) values (gen_random_uuid(), true)",
    "job_activity": "insert into job_activity values ('old-job', '2024-06-05Z', 3, 2)",
    "schedule": """
    insert into schedule (job, expression, time_zone, missed, next_at, in_development)
    values ('old-job', '0 3 * * *', 'UTC', 'once', '2024-06-06 03:00Z', false)
    """,
    "table_trigger": """
    insert into table_trigger (
      name, program, job, table_schema, table_name, columns, operations, sha256, bodies)
    values ('wake_old', 'old', 'old-job', 'shop', 'orders', '{id}', '{insert}', 'x', '{y}')
    """,
    "occurrence": """
    insert into occurrence values ('old-job', 'nightly', '2024-06-05 03:00Z', '2024-06-05 03:00Z', 'fired')
    """,
    "schedule_delay": "insert into schedule_delay values ('old-job', '1 minute')",
    "access_object": "insert into access_object (object, state) values ('table entry', 'old')",
    "run_history": """
    insert into run_history (partition, created_at, id, job, key, attempt, outcome)
    select day_partition(at), at, 1, 'old-job', 'a', 1, 'done'
    from generate_series(timestamptz '2024-06-01Z', '2024-06-16Z', interval '1 day') at
    """,
    "runner_setting": "insert into runner_setting default values",
    "audit": """
    insert into audit (day, number, at, login, role, application, action, subject, previous, hash)
    values ('2024-06-05', 1, '2024-06-05Z', 'old', 'old', 'old', 'runs retry', '{"run": 9}', sha256('a'),
      sha256('b'))
    """,
    "audit_chain": "insert into audit_chain default values",
    "setting": "insert into setting default values",
    "users": """
    insert into users (id, display_name, time_zone)
    values ('ann', 'Ann', 'Europe/Berlin'), ('bob', 'Bob', 'UTC')
    """,
    "groups": "insert into groups (id, name) values ('g', 'Gym')",
    "member": """
    insert into member (group_id, user_id, joined_at, calls) values ('g', 'ann', '2024-06-01Z', 5)
    """,
    "active_group": "insert into active_group values ('ann', 'g')",
    "membership": "insert into membership values ('g', 'ann', '2024-06-01Z')",
    "invite": """
    insert into invite (token_hash, group_id, created_by, created_at, expires_at)
    values (sha256('a'), 'g', 'ann', '2024-06-01Z', '2024-06-15Z')
    """,
    "usage_log": """
    insert into usage_log (recorded_at, kind, group_id, user_id)
    values ('2024-06-05Z', 'group_created', 'g', 'ann')
    """,
    "client_event": """
    insert into client_event (id, user_id, kind, recorded_at)
    values ('00000000-0000-0000-0000-000000000002', 'ann', 'link_failed', '2024-06-05Z')
    """,
    "ignored_workout": "insert into ignored_workout (day) values ('2024-06-05')",
    "identity": "insert into identity values ('apple', '001', 'ann', '2024-06-01Z')",
    "claim_key": "insert into claim_key (id) values (0)",
    "stream_ticket": """
    insert into stream_ticket (hash, content, expires_at) values (sha256('a'), '{}', '2024-06-05Z')
    """,
    "invite_attempt": "insert into invite_attempt values ('ann', '2024-06-01Z', 1)",
    "user_block":
      "insert into user_block (user_id, blocked_user, created_at) values ('ann', 'bob', now())",
    "user_report": """
    insert into user_report (id, reporter, reported, group_id, reason, note, created_at)
    values ('00000000-0000-0000-0000-000000000003', 'ann', 'ann', 'g', 'spam', '', '2024-06-05Z')
    """,
    "session": """
    insert into session (user_id, device, token_hash, created_at, expires_at)
    values ('ann', 'Phone', sha256('a'), '2024-06-01Z', '2024-08-30Z')
    """,
    "push_device": """
    insert into push_device (user_id, platform, environment, token, locale, registered_at)
    values ('ann', 'fcm', 'production', 'token', 'en', '2024-06-01Z')
    """,
    "push_setting": "insert into push_setting values ('ann', '{week_ended}', '22:00', '07:00')",
    "silent_move": """
    insert into silent_move (challenge_id, user_id, value)
    values ('00000000-0000-0000-0000-000000000001', 'ann', 1)
    """,
    "workout": """
    insert into workout (user_id, workout_id, revision, group_id, performed_at, utc_offset_s,
      local_date, week_start, counted, outcome, received_at)
    values ('ann', 'w', 1, 'g', '2024-06-05 10:00Z', 0, '2024-06-05', '2024-06-03', true,
      'accepted', '2024-06-05 10:01Z')
    """,
    "sharing_pause":
      "insert into sharing_pause values ('ann', '2024-06-02Z', '2024-06-03Z')",
    "workout_revision": """
    insert into workout_revision (user_id, workout_id, revision, group_id, performed_at, utc_offset_s,
      local_date, week_start, counted, outcome, missed_board, is_deleted, received_at, superseded_at)
    values ('ann', 'w', 0, 'g', '2024-06-05 09:00Z', 0, '2024-06-05', '2024-06-03', true, 'accepted',
      false, false, '2024-06-05 10:00Z', '2024-06-05 10:01Z')
    """,
    "reported_streak": """
    insert into reported_streak (user_id, group_id, week_start, streak_days, reported_at)
    values ('ann', 'g', '2024-06-03', 3, '2024-06-05Z')
    """,
    "refused_edit": """
    insert into refused_edit (user_id, workout_id, revision, reason, week_start)
    values ('ann', 'w', 2, 'weekClosed', '2024-06-03')
    """,
    "workout_day": """
    insert into workout_day values ('ann', 'g', '2024-06-05', '2024-06-03', 1, '2024-06-05 10:00Z',
      0, '2024-06-05 10:00Z', 0, 1)
    """,
    "challenge": """
    insert into challenge (id, group_id, week_start, type)
    values ('00000000-0000-0000-0000-000000000001', 'g', '2024-06-03', 'check-ins')
    """,
    "entry": """
    insert into entry (challenge_id, user_id, value, reached_at, joined_at, display_name, last_updated)
    values ('00000000-0000-0000-0000-000000000001', 'ann', 1, '2024-06-05Z', '2024-06-01Z', 'Ann',
      '2024-06-05Z')
    """,
    "standing": """
    insert into standing (challenge_id, user_id, value, rank, position, display_name, last_updated)
    values ('00000000-0000-0000-0000-000000000001', 'ann', 1, 1, 1, 'Ann', '2024-06-05Z')
    """,
    "board_version": """
    insert into board_version (challenge_id) values ('00000000-0000-0000-0000-000000000001')
    """,
    "notification": """
    insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
    select day_partition(at), at, 'ann', 'g', 'new_member', '{}', at
    from generate_series(timestamptz '2024-06-01Z', '2024-06-16Z', interval '1 day') at
    """,
    "closed_week": """
    insert into closed_week (group_id, week_start, is_told, closed_at)
    values ('g', '2024-05-27', true, '2024-06-03Z')
    """,
    "week_reopening": """
    insert into week_reopening (group_id, week_start, reason, reopened_by, reopened_at, reopened_until)
    values ('g', '2024-05-27', 'a mistake', 'bob', '2024-06-04Z', '2024-06-05Z')
    """,
    "replay": "insert into replay (file_digest, step, closes_weeks) values ('x', '1 hour', true)",
  ]

  /// The rows by table, as one JSON array for each table.
  private let rows: [(table: String, rows: String)]

  /// Inserts a row into every empty table of the schema, and records all rows.
  ///
  /// - Throws: `TestFailure` if it has no row for a table.
  init(in test: TestSchema) async throws {
    let tables = try await Self.tables(of: test)
    for (table, statement) in Self.statements where tables.contains(table) {
      guard try await test.sql("select from \(table) limit 1").isEmpty else { continue }
      try await test.sql(statement)
    }
    var rows: [(String, String)] = []
    for table in tables {
      let array = try await test.text("select jsonb_agg(to_jsonb(t))::text from \(table) t")
      guard let array else { throw TestFailure("SchemaRows has to know a row for table \(table)") }
      rows.append((table, array))
    }
    self.rows = rows
  }

  /// The number of tables with rows.
  var count: Int { rows.count }

  /// Returns rows that are no longer stored unchanged.
  ///
  /// Additional columns are ignored.
  func lost(from test: TestSchema) async throws -> [String] {
    var lost: [String] = []
    for (table, rows) in rows {
      let missing = try await test.text(
        """
        select string_agg(old.row::text, ' ') from jsonb_array_elements($rows$\(rows)$rows$) old (row)
        where not exists (select from \(table) t where to_jsonb(t) @> old.row)
        """)
      if let missing { lost.append("\(table): \(missing)") }
    }
    return lost
  }

  /// Returns the tables without the records of functions, which are meant to change, and without
  /// `access`, whose row describes roles.
  private static func tables(of test: TestSchema) async throws -> [String] {
    try await test.sql(
      """
      select relname from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
        and not relispartition and relname not in ('schema_part', 'schema_object', 'object_definition',
          'access')
      order by relname
      """)
  }
}

extension TestSchema {
  /// Returns the only value of a query, unchanged.
  func text(_ query: String) async throws -> String? {
    let connection = try await connect()
    let call = Call.row(Statement("test/text \(query.hashValue)", query)) {
      (row) throws(PostgresError) in try row.decode(String?.self)
    }
    let value = try await connection.atomically(in: schema, call)
    await connection.close()
    return value
  }
}
