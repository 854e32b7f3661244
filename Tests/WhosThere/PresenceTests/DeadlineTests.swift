import JobTesting
import TestSupport
import Testing

/// Tests automatic check-outs at the deadline, regardless of who detects them and how late.
@Suite(.timeLimit(.minutes(5))) struct DeadlineTests {
  private func with(_ body: (Places) async throws -> Void) async throws {
    try await Places.with(at: "2024-06-05 12:00") { places in
      try await places.accounts("ann", "ben", "cid")
      try await places.found("g", by: "ann", "ben", "cid")
      try await body(places)
    }
  }

  /// Returns waiting runs, as the key and the seconds after noon.
  private func waiting(_ places: Places) async throws -> [String] {
    try await places.sql(
      """
      select key, extract(epoch from run_at - '2024-06-05 12:00Z')::integer from run
      where job = 'auto-check-out' order by key
      """)
  }

  @Test(.sampled()) func `each deadline is a run, moved earlier at once and later when it comes`()
    async throws
  {
    try await with { places in
      let commands: [(Int, String)] = [
        (0, Places.checkIn("ann", 1, stay: 600)), (0, Places.noticed("ben", 1, stay: 600)),
        (0, Places.checkIn("cid", 1, stay: 600)),
        // Ann's deadline is earlier, Ben's is later, and Cid has none.
        (10, Places.checkIn("ann", 2, stay: 300)), (10, Places.checkIn("ben", 2, stay: 890)),
        (10, Places.checkOut("cid", 2)), (11, Places.checkIn("cid", 3)),
      ]
      for (second, command) in commands {
        try await places.stand(second)
        #expect(try await places.outcome(command).hasPrefix("accepted"), "\(command)")
      }
      let ids = try await places.sql("select id from presence order by user_id")
      #expect(try await places.test.drain() == 0)
      #expect(try await waiting(places) == zip(ids, [310, 600, 600]).map { "\($0),\($1)" })

      try await places.stand(309)
      #expect(try await places.test.drain() == 0)
      #expect(try await places.presences().map { $0.contains(" t ") } == [true, true, true])
      // The job is 10 seconds late, but Ann's departure has the time of the deadline.
      try await places.stand(320)
      #expect(try await places.test.drain() == 0)
      #expect(try await places.presences()[0] == "ann f 3 automatic 12:05:10")
      try await places.stand(600)
      #expect(try await places.test.drain() == 0)
      #expect(
        try await places.presences().dropFirst()
          == ["ben t 2 manual 12:00:00 until 12:15:00", "cid t 3 manual 12:00:11"])
      #expect(try await waiting(places) == ["\(ids[1]),900"])
      #expect(
        try await places.sql("select armed_at from presence where armed_at is not null").count == 1)
      // After a run that found nothing, the presence is not recorded as having a future run.
      #expect(try await places.outcome(Places.checkIn("cid", 4, stay: 1)) == "accepted t 4")
      #expect(try await places.test.drain() == 0)
      #expect(try await waiting(places).count == 2)
      try await places.stand(901)
      #expect(try await places.test.drain() == 0)
      #expect(
        try await places.visits() == [
          "ann t 2024-06-05 12:00:00 12:05:10", "ben f 2024-06-05 12:00:00 12:15:00",
          "cid f 2024-06-05 12:00:00 12:00:10", "cid f 2024-06-05 12:00:11 12:10:01",
        ])
      #expect(try await waiting(places) == [])
      #expect(try await places.broken() == [])
    }
  }

  @Test(.sampled()) func `silence ends what a device began, by the job or by the next command`()
    async throws
  {
    try await with { places in
      for user in ["ann", "ben"] { try await places.outcome(Places.noticed(user, 1)) }
      try await places.outcome(Places.checkIn("cid", 1))
      try await places.stand(3_600)
      for user in ["ann", "ben"] {
        #expect(try await places.outcome(Places.noticed(user, 2)) == "unchanged t 1")
      }
      try await places.stand(46_799)
      #expect(try await places.test.drain() == 0)
      #expect(try await places.presences().map { $0.contains(" t ") } == [true, true, true])
      try await places.stand(46_900)
      // One user is checked out by a command, and the other user by the job.
      #expect(try await places.outcome(Places.checkOut("ann", 3)) == "unchanged f 2")
      #expect(try await places.test.drain() == 0)
      let ends = try await places.presences()
      #expect(
        ends == [
          "ann f 2 automatic 13:00:00", "ben f 2 automatic 13:00:00", "cid t 1 manual 12:00:00",
        ])
      #expect(
        try await places.sql(
          "select distinct changed_at = automatic_at, changed_at = '2024-06-06 01:00Z' from presence where not is_present"
        ) == ["t,t"])
      #expect(
        try await places.visits().map { $0.hasSuffix(" 13:00:00") } == [true, true, false])
      #expect(try await places.broken() == [])
    }
  }

  /// For example, an operator discarded the dead run of `auto-check-out`.
  @Test func `a deadline without a run ends the presence too, by the job for silent devices`()
    async throws
  {
    try await with { places in
      try await places.outcome(Places.checkIn("ann", 1, stay: 600))
      try await places.outcome(Places.noticed("ben", 1, stay: 600))
      try await places.outcome(Places.checkIn("cid", 1, stay: 700))
      #expect(try await places.test.drain() == 0)
      try await places.sql("delete from run where job = 'auto-check-out'")
      try await places.stand(599)
      #expect(try await places.call("check_out_silent(10)") == "0")
      try await places.stand(600)
      #expect(try await places.call("check_out_silent(1)") == "1")
      #expect(try await places.call("check_out_silent(10)") == "1")
      #expect(
        try await places.presences() == [
          "ann f 2 automatic 12:10:00", "ben f 2 automatic 12:10:00",
          "cid t 1 manual 12:00:00 until 12:11:40",
        ])
      // Ben's device is silent before Ben's next deadline. The job finds Ben for both reasons.
      try await places.stand(640)
      #expect(
        try await places.outcome(Places.noticed("ben", 2, stay: 43_300)) == "accepted t 3")
      try await places.stand(50_000)
      #expect(try await places.call("check_out_silent(10)") == "2")
      #expect(try await places.presences()[1] == "ben f 4 automatic 12:10:40")
      #expect(try await places.broken() == [])
    }
  }

  @Test func `a run, a command and the right moment come to the same`() async throws {
    try await with { places in
      for user in ["ann", "ben", "cid"] {
        try await places.outcome(Places.checkIn(user, 1, stay: 60, at: Places.here))
      }
      let ends = "select check_out_due(array(select id from presence where user_id = '$'))"
      try await places.stand(60)
      try await places.sql(ends.replacing("$", with: "ann"))
      try await places.stand(70)
      try await places.sql(ends.replacing("$", with: "ben"))
      try await places.stand(500)
      // The same command is repeated. It gets the same outcome, with the current presence.
      #expect(
        try await places.call(
          Places.checkIn("cid", 1, stay: 60), "outcome, is_replayed, is_present, version")
          == "accepted,t,f,2")
      let same = try await places.sql(
        """
        select distinct p.is_present, p.source, p.since, p.deadline, p.version, p.changed_at,
          p.automatic_at, p.latitude, v.departure
        from presence p join visit v using (group_id, user_id)
        """)
      #expect(same.count == 1 && same[0].hasPrefix("f,automatic,"))
      #expect(try await places.broken() == [])
    }
  }
}
