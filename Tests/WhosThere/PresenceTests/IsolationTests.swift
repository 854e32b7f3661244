import BatonPostgres
import JobTesting
import TestSupport
import Testing

/// Tests that a call that waits for a lock never uses the values from before the wait.
@Suite(.timeLimit(.minutes(5))) struct IsolationTests {
  /// Functions that are correct at any level: the engine's functions, as in the same suite of
  /// GymRats, and the functions of triggers.
  private static let exempt = [
    "enqueue", "enqueue_many", "send_event", "record_audit", "purge_audit", "observe",
    "stop_observing",
    "rotate_event_log", "lock_event_log", "empty_event_log", "record_events", "cancel_run",
    "schedule", "pause_schedule", "resume_schedule", "remove_schedule",
    "backfill_schedule",
    "open_batch", "enqueue_batch", "seal_batch", "cancel_batch", "retry_batch",
  ]

  /// Every function that writes: its name, and a call with nulls.
  private static let functions =
    """
    select p.proname || '|' || format('select from %I(%s)', p.proname, (
      select string_agg('null::' || format_type(a.type, null), '; ' order by a.n)
      from unnest(p.proargtypes::oid[]) with ordinality a (type, n)))
    from pg_proc p
    where p.pronamespace = current_schema::regnamespace and p.provolatile = 'v' and p.prosecdef
      and p.prorettype <> 'trigger'::regtype
    order by 1
    """

  private func code(of text: String, at level: String, in places: Places) async throws -> String {
    let connection = try await places.test.connect()
    var code = "none"
    do {
      try await connection.script(
        Statement(
          "test/isolation",
          """
          begin isolation level \(level); set local search_path to \(places.test.schema.name), pg_temp; \(text)
          """))
    } catch {
      code = error.sqlState.code
    }
    await connection.close()
    return code
  }

  @Test(.sampled())
  func `each function that writes needs READ COMMITTED, and says so first`() async throws {
    try await Places.with { places in
      let functions = try await places.sql(Self.functions).map { line in
        line.replacing(";", with: ",").split(separator: "|").map(String.init)
      }
      #expect(functions.count > 25)
      for function in functions where !Self.exempt.contains(function[0]) {
        for level in ["repeatable read", "serializable"] {
          #expect(
            try await code(of: function[1], at: level, in: places) == "25001", "\(function)")
        }
        #expect(
          try await code(of: function[1], at: "read committed", in: places) != "25001",
          "\(function)")
      }
    }
  }
}
