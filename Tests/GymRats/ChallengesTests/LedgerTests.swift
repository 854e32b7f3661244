import BatonPostgres
import TestSupport
import Testing

/// Tests the ledger: revisions and deletions are rows, and no change is possible without a change
/// of the boards.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LedgerTests {
  private let noon = "2024-06-05 12:00"

  @Test func `a new workout has no revision kept, an edit and a deletion keep what was before`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-04 10:00")
      let kept = """
        select concat_ws(' ', revision, to_char(performed_at, 'DD HH24:MI'), outcome,
          case when is_deleted then 'deleted' end, to_char(received_at, 'HH24:MI'),
          to_char(superseded_at, 'HH24:MI'))
        from workout_revision order by superseded_at
        """
      #expect(try await gym.lines(kept) == [])
      try await gym.stand(at: "2024-06-05 13:00")
      try await gym.record("w", at: "2024-06-05 10:00", revision: 3)
      try await gym.stand(at: "2024-06-05 14:00")
      try await gym.delete("w", revision: 4)
      try await gym.stand(at: "2024-06-05 15:00")
      try await gym.record("w", at: "2024-06-05 11:00", revision: 6)
      // Refused and repeated calls store nothing.
      try await gym.record("w", at: "2024-06-09 11:00", revision: 7)
      try await gym.record("w", at: "2024-06-05 11:00", revision: 6)
      try await gym.delete("w", revision: 4)
      #expect(
        try await gym.lines(kept) == [
          "0 04 10:00 accepted 12:00 13:00", "3 05 10:00 accepted 13:00 14:00",
          "4 05 10:00 accepted deleted 14:00 15:00",
        ])
    }
  }

  @Test func `a reopening is no revision`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-08 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      try await gym.record("late", at: "2024-06-09 11:00")
      try await gym.run("select reopen_week('g', '2024-06-03', 'a mistake', '1 hour')")
      #expect(try await gym.lines("select workout_id from workout_revision") == [])
    }
  }

  // MARK: Removing rows

  @Test func `a member's workout does not leave the ledger by hand`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("a", at: "2024-06-04 10:00")
      try await gym.record("b", at: "2024-06-05 10:00")
      let error = await #expect(throws: PostgresError.self) {
        try await gym.run("delete from workout where workout_id = 'a'")
      }
      #expect(error?.sqlState.code == "ZB030")
      #expect(error?.hint?.contains("delete_workout") == true)
      #expect(try await gym.lines("select workout_id from workout order by 1") == ["a", "b"])
      // A workout that counts nowhere may be deleted, together with its revisions.
      try await gym.delete("a")
      try await gym.run("delete from workout where workout_id = 'a'")
      #expect(try await gym.lines("select workout_id from workout_revision") == [])
      #expect(try await gym.entries().first == "2024-06-03 check-ins 1 at 05 10:00")
    }
  }

  @Test func `the ledger of who left goes, and all that was derived with it`() async throws {
    try await Gym.open(at: noon) { gym in
      for user in ["ann", "bob"] {
        try await gym.join(user)
        try await gym.record("a", by: user, at: "2024-06-04 10:00")
        try await gym.record("b", by: user, at: "2024-06-05 10:00")
      }
      try await gym.run("update member set left_at = domain_now() where user_id = 'ann'")
      try await gym.run("delete from active_group where user_id = 'ann'")
      try await gym.run("delete from workout where user_id = 'ann'")
      #expect(try await gym.lines("select distinct user_id from workout_day") == ["bob"])
      #expect(
        try await gym.entries().map { $0.prefix(22) } == [
          "2024-06-03 check-ins 0", "2024-06-03 streak 0 at",
        ])
      #expect(try await gym.entries(of: "bob").first == "2024-06-03 check-ins 2 at 05 10:00")
    }
  }

  @Test func `an entry that is gone does not come back with days that are still to go`()
    async throws
  {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      for day in ["04", "05"] { try await gym.record(day, at: "2024-06-\(day) 10:00") }
      try await gym.run("update member set left_at = domain_now()")
      try await gym.run("delete from active_group")
      try await gym.run("delete from entry")
      try await gym.run("delete from workout")
      #expect(try await gym.entries() == [])
    }
  }

  @Test func `a closed board keeps what it shows of a ledger that is gone`() async throws {
    try await Gym.open(at: "2024-06-08 12:00") { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-08 11:00")
      try await gym.stand(at: "2024-06-10 00:10")
      try await gym.close()
      let before = try await gym.entries()
      try await gym.run("update member set left_at = domain_now()")
      try await gym.run("delete from workout")
      #expect(try await gym.entries() == before)
    }
  }

  @Test func `what no call can reach and no board shows may go, and streaks stay`() async throws {
    try await Gym.open(at: noon) { gym in
      try await gym.join("ann")
      try await gym.record("w", at: "2024-06-05 10:00")
      try await gym.stand(at: "2024-09-03 10:00")
      try await gym.run("delete from entry")
      try await gym.run("delete from challenge")
      let remove = "delete from workout"
      let error = await #expect(throws: PostgresError.self) { try await gym.run(remove) }
      #expect(error?.sqlState.code == "ZB030")
      try await gym.stand(at: "2024-09-03 10:00:01")
      try await gym.run(remove)
      #expect(try await gym.lines("select local_date::text from workout_day") == ["2024-06-05"])
    }
  }

  @Test func `no row at all is no removal`() async throws {
    try await Gym.open(at: noon) { gym in try await gym.run("delete from workout") }
  }
}
