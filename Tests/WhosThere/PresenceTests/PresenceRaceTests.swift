import BatonPostgres
import JobTesting
import PresencePostgres
import TestSupport
import Testing

/// Tests concurrent commands, jobs and memberships in real transactions.
///
/// docs/whosthere/rules.md has the rules.
@Suite(.timeLimit(.minutes(5)), .bothWays) struct PresenceRaceTests {
  private func with(_ body: (Places) async throws -> Void) async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "ben", "cid")
      try await places.found("g", by: "ann", "ben", "cid")
      try await body(places)
    }
  }

  @Test(.sampled()) func `of those who come at once one is first`() async throws {
    try await with { places in
      let comes = { Places.short(Places.checkIn($0, 1)) }
      // The first transaction rolls back or commits.
      #expect(
        try await places.race(comes("ann"), comes("ben"), rollsBack: true) == "accepted t 1")
      #expect(try await places.sql("select user_id from first_arrival") == ["ben"])
      try await places.sql("delete from first_arrival")
      #expect(try await places.race(comes("ann"), comes("cid")) == "accepted t 1")
      #expect(try await places.sql("select user_id from first_arrival") == ["ann"])
      #expect(
        try await places.sql("select user_id from visit where is_first order by 1") == [
          "ann", "ben",
        ])
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled()) func `a phone and a watch with one command have one effect`() async throws {
    try await with { places in
      let replay = "concat_ws(' ', outcome, is_replayed::text::char, version)"
      let command = Places.checkIn("ann", 1, stay: 60)
      let both = "(select \(replay) from \(command)) c"
      #expect(try await places.race(both, both) == "accepted t 1")
      // If the first transaction rolled back, the second arrival is the first one.
      let out = "(select \(replay) from \(Places.checkOut("ann", 2))) c"
      #expect(try await places.race(out, out, rollsBack: true) == "accepted f 2")
      // The same holds for a command that changed nothing, of a user who was never present.
      let none = "(select \(replay) from \(Places.checkOut("ben", 1))) c"
      #expect(try await places.race(none, none) == "unchanged t")
      // The same id for another group waits at the key.
      try await places.found("h", by: "ann")
      #expect(
        try await places.race(
          Places.short(Places.checkIn("ann", 3)), Places.short(Places.checkIn("ann", 3, "h")))
          == "conflictingRepeat")
      for other in [
        Places.checkOut("ann", 1), Places.checkIn("ann", 1, stay: 61), Places.checkIn("ann", 1),
        Places.noticed("ann", 1, stay: 60), command.replacing("2024-01-01Z", with: "2024-01-02Z"),
      ] { #expect(try await places.call(other) == "conflictingRepeat", "\(other)") }
      // The device's place is not part of its request.
      #expect(
        try await places.call(
          Places.checkIn("ann", 1, stay: 60, at: Places.here).replacing("phone", with: "watch"),
          "outcome, is_replayed") == "accepted,t")
      #expect(try await places.sql("select count(*) from visit where departure is null") == ["1"])
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled()) func `by hand, a device and the deadline take turns`() async throws {
    try await with { places in
      // If the manual command is first, the device's command is overridden. If the device is first,
      // the manual command takes precedence.
      #expect(
        try await places.race(
          Places.short(Places.checkIn("ann", 1, stay: 60)), Places.short(Places.noticed("ann", 2)))
          == "overridden t 1")
      #expect(
        try await places.race(
          Places.short(Places.noticed("ben", 1)), Places.short(Places.checkIn("ben", 2, stay: 60)))
          == "accepted t 2")
      // At the deadline, either the job or the command is first. Both orders cause one change.
      try await places.stand(65)
      let due = "(select check_out_due(array(select id from presence where user_id = '$'))) c"
      #expect(
        try await places.race(
          due.replacing("$", with: "ann"), Places.short(Places.checkOut("ann", 3)))
          == "unchanged f 2")
      #expect(
        try await places.race(
          Places.short(Places.checkIn("ben", 3)), due.replacing("$", with: "ben")) == "")
      #expect(
        try await places.presences()
          == ["ann f 2 automatic 12:01:00", "ben t 4 manual 12:01:05"])
      // A deadline is changed while its run checks it. The run enqueues a run for the deadline that
      // it finds.
      try await places.outcome(Places.checkIn("cid", 1, stay: 5))
      try await places.stand(69)
      #expect(
        try await places.race(
          Places.short(Places.checkIn("cid", 2, stay: 600)), due.replacing("$", with: "cid"))
          == "")
      #expect(
        try await places.sql(
          "select deadline = armed_at, deadline = '2024-06-05 12:11:09Z' from presence where user_id = 'cid'"
        ) == ["t,t"])
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled()) func `whoever leaves is not there, whatever they said meanwhile`() async throws
  {
    try await with { places in
      let came = { Places.short(Places.checkIn($0, $1)) }
      #expect(try await places.race(came("ben", 1), "leave_group('ben', 'g')") == "")
      #expect(
        try await places.race("remove_member('ann', 'g', 'cid')", came("cid", 1)) == "notAMember")
      #expect(try await places.presences() == ["ben f 2 automatic 12:00:00"])
      // The presence is deleted with the account. After that, no user is present, and the first
      // arrival of the date is still taken.
      try await places.call("join_public_group('ben', 'g')")
      try await places.outcome(Places.checkIn("ben", 2))
      #expect(
        try await places.race("delete_account('ben')", came("ben", 3)) == "notAuthenticated")
      #expect(try await places.presences() == [])
      #expect(try await places.sql("select user_id is null from first_arrival") == ["t"])
      // A user whose deadline had passed has left at the deadline, and not now.
      try await places.outcome(Places.checkIn("ann", 1, stay: 60))
      try await places.stand(100)
      #expect(try await places.race(came("ann", 2), "delete_group('ann', 'g')") == "")
      #expect(
        try await places.visits()
          == ["ann f 2024-06-05 12:00:00 12:01:00", "ann f 2024-06-05 12:01:40 12:01:40"])
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled()) func `a line that lags is not the last one`() async throws {
    try await with { places in
      let line = """
        select present_count || ' ' || array_to_string(latest, ' ') from group_summary
        """
      // A user has arrived but not committed. The line is written without that user, and is then
      // written again.
      try await places.outcome(Places.checkIn("ann", 1))
      try await places.withOpen("select \(Places.checkIn("ben", 1))") { open in
        #expect(try await places.test.drain() == 0)
        #expect(try await places.sql(line) == ["1 ann"])
        try await open.end("commit")
      }
      try await places.eventuallyDrained(to: "2 ann ben", line)
      // Two transactions write the line. The second has waited for the first, and reads the new
      // arrivals.
      let connection = try await places.test.connect()
      let session = Session(connection, in: places.test.schema)
      try await places.withOpen("select from group_summary for update") { open in
        async let written: Void = session.transaction {
          try await PostgresPresenceUpkeep($0).summarize(["g"])
        }
        try await open.waitUntilItBlocks()
        try await places.outcome(Places.checkOut("ben", 2))
        try await open.end("commit")
        try await written
      }
      #expect(try await places.sql(line) == ["1 ann"])
      // The same command again causes another version, because a presence that no line displays may
      // have changed.
      let next = try await places.sql("select version + 1 from group_summary")
      try await session.transaction {
        try await PostgresPresenceUpkeep($0).summarize(["g", "none"])
      }
      #expect(try await places.sql("select version from group_summary") == next)
      await connection.close()
    }
  }
}

extension Places {
  /// Processes runs until a query returns the expected result, because runs with one key are at
  /// least 250 ms apart.
  fileprivate func eventuallyDrained(to expected: String, _ query: String) async throws {
    try await eventually("a line '\(expected)'") {
      try await test.drain()
      return try await sql(query) == [expected]
    }
  }
}
