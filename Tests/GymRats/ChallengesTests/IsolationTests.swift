import BatonPostgres
import TestSupport
import Testing

/// Rule 23: if a call waits for a lock, it never uses the values from before the wait.
@Suite(.timeLimit(.minutes(5))) struct IsolationTests {
  private static let levels = ["repeatable read", "serializable"]

  /// Functions that are correct at any isolation level, because each of them locks or writes every
  /// row that it depends on.
  private static let exempt = [
    // Events can be appended at any level. InterleavingTests prove this.
    "enqueue", "enqueue_many", "send_event",
    // The row of the chain is updated, so a second entry gets 40001.
    "record_audit", "purge_audit",
    // These functions only use a channel of notifications.
    "observe", "stop_observing",
    // These functions lock whole tables. Only workers call them, at READ COMMITTED.
    "rotate_event_log", "lock_event_log", "empty_event_log",
    // A request is a new row.
    "cancel_run",
    // The only row to write has a key. If a concurrent transaction changed the row, the result is
    // 40001.
    "schedule", "pause_schedule", "resume_schedule", "remove_schedule",
    "backfill_schedule",
    // The functions lock the row of the batch. If a concurrent transaction changed the row, the
    // result is 40001.
    "open_batch", "enqueue_batch", "seal_batch", "cancel_batch", "retry_batch",
    "follow_user", "derive_days", "derive_weeks", "recount_members", "record_events",
  ]

  /// Every function that writes: its name, and a call with nulls.
  private static let functions =
    """
    select p.proname || '|' || format('select from %I(%s)', p.proname, (
      select string_agg('null::' || format_type(a.type, null), ', ' order by a.n)
      from unnest(p.proargtypes::oid[]) with ordinality a (type, n)))
    from pg_proc p
    where p.pronamespace = current_schema::regnamespace and p.provolatile = 'v'
      and p.prorettype <> 'trigger'::regtype
      and (p.prosecdef or p.proname in ('add_member', 'create_notification', 'rotate_claim_key'))
    order by 1
    """

  private func code(of text: String, at level: String, in gym: Gym) async throws -> String {
    let transaction = try await OpenTransaction(gym.connection, in: gym, level: level)
    var code = "none"
    do { try await transaction.run(.test(text)) } catch let error as PostgresError {
      code = error.sqlState.code
    }
    try await transaction.rollBack()
    return code
  }

  @Test func `each function that writes needs READ COMMITTED, and says so first`() async throws {
    try await Gym.open(at: "2024-06-05 12:00") { gym in
      let functions = try await gym.lines(Self.functions).map {
        $0.split(separator: "|").map(String.init)
      }
      #expect(functions.count > 30)
      for function in functions where !Self.exempt.contains(function[0]) {
        for level in Self.levels {
          #expect(try await code(of: function[1], at: level, in: gym) == "25001", "\(function)")
        }
        #expect(
          try await code(of: function[1], at: "read committed", in: gym) != "25001", "\(function)")
      }
    }
  }

  /// The statement that another session commits, and the call of a transaction that began before.
  private static let races: [(before: String, write: String, call: String)] = [
    // The transaction saw the closed week but not the reopening, and answered the workout as late.
    (
      "update challenge set state = 'closed', closed_at = domain_now()",
      "select reopen_week('g', '2024-06-03', 'test', '1 hour')",
      "select record_workout('ann', 'w2', '2024-06-05 11:00Z')"
    ),
    // The board accepted a workout after it was closed.
    (
      "select 1", "update challenge set state = 'closed', closed_at = domain_now()",
      "select record_workout('ann', 'w2', '2024-06-05 11:00Z')"
    ),
    // The successor of the last admin appointed a third admin.
    ("select 1", "select promote('ann', 'g', 'bob')", "select leave_group('ann', 'g')"),
    // The count of workouts did not contain the other workout.
    (
      "select 1", "select record_workout('ann', 'w3', '2024-06-05 10:00Z')",
      "select record_workout('ann', 'w2', '2024-06-05 11:00Z')"
    ),
    // The group got one member too many.
    (
      "update groups set max_members = 4", "select join_group('dan', '\(Gym.token)')",
      "select join_group('eve', '\(Gym.token)')"
    ),
  ]

  @Test(.sampled(), arguments: levels)
  func `beside a writer a call is refused, and the same call at READ COMMITTED does right`(
    level: String
  ) async throws {
    for race in Self.races {
      try await Gym.open(at: "2024-06-05 12:00") { gym in
        try await gym.found("bob", "cid")
        try await gym.users("dan", "eve")
        try await gym.run("update member set joined_at = '2024-06-01'")
        try await gym.record("w1", at: "2024-06-05 09:00")
        try await gym.publishAll()
        try await gym.run(race.before)
        try await gym.withConnection { other in
          let older = try await OpenTransaction(other, in: gym, level: level)
          // This statement takes the snapshot.
          _ = try await older.run(.lines("select user_id from member"))
          try await gym.run(race.write)
          let error = await #expect(throws: PostgresError.self) {
            try await older.run(.test(race.call))
          }
          #expect(error?.sqlState.code == "25001", "\(race)")
          #expect(error?.constraint == "wrongIsolation")
          try await older.rollBack()
          _ = try? await gym.lines(race.call.replacing("select ", with: "select (") + ")::text")
        }
        #expect(try await gym.broken() == [], "\(race)")
        try await gym.publishAll()
        try await gym.fold()
        #expect(try await gym.drift() == [], "\(race)")
        #expect(
          try await gym.lines("select count(*)::text from member where role = 'admin'") != ["3"])
      }
    }
  }
}
