import BatonPostgres
import TestSupport
import Testing

/// Tests that the functions that truncate partitions for a worker do not trust the worker's
/// arguments, because TRUNCATE checks no policy.
@Suite(.timeLimit(.minutes(5))) struct EmptiedPartitionTests {
  @Test(.sampled())
  func `no partition is emptied that is young, and no table that is none`() async throws {
    let place = try await RolePlace.make("days")
    try await place.rows("select id from upsert_user('apple', 'Ann', 'Ann')", as: "api")
    try await place.run(
      """
      insert into notification (partition, created_at, user_id, group_id, type, content, changed_at)
      select day_partition(at), at, 'ann', 'g', 'new_member', '{}', at from (select now() as at) n
      """,
      """
      insert into run_history (partition, created_at, id, job, key, attempt, outcome)
      select day_partition(at), at, 1, 'old-job', 'a', 1, 'done' from (select pg_catalog.now() as at) n
      """)
    for (function, table) in [
      ("truncate_notifications", "notification"), ("truncate_history", "run_history"),
    ] {
      let partition =
        try await place.rows(
          "select '\(table)_' || partition from \(table)"
        ).first ?? "none"
      let future = "pg_catalog.now() + interval '1 year'"
      #expect(
        try await place.rows("select \(function)('\(partition)', \(future))::text", as: "worker")
          == ["false"])
      for other in ["users", "event_0", "\(table)_16", "\(partition), users"] {
        let error = await #expect(throws: PostgresError.self) {
          try await place.rows("select \(function)('\(other)', \(future))::text", as: "worker")
        }
        #expect(error?.sqlState == "ZB032")
      }
      #expect(try await place.rows("select count(*)::text from \(table)") == ["1"])
    }
    #expect(try await place.rows("select count(*)::text from users") == ["1"])
  }

  @Test(.sampled()) func `the worker role cannot lock or empty the event log of its own cluster`()
    async throws
  {
    let place = try await RolePlace.make("days")
    for function in ["lock_event_log", "empty_event_log"] {
      let error = await #expect(throws: PostgresError.self) {
        try await place.rows("select \(function)()::text", as: "worker")
      }
      #expect(error?.sqlState == "ZB031")
    }
  }
}
