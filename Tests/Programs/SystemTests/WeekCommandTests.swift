import BatonPostgres
import Foundation
import TestSupport
import Testing

/// Tests `gymrats week`, `gymrats notifications` and `gymrats schedule` with the jobs' schedules,
/// as an operator of the weeks uses them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WeekCommandTests {
  /// Creates two groups of two with the weeks before this one.
  ///
  /// `g1` has a name.
  private func withWeeks(_ body: (TestSchema, DueWeeks) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let due = DueWeeks(schema: schema)
      try await due.make(groups: 2, members: 2, weeks: [1, 2])
      try await schema.sql("update groups set name = 'Early birds' where id = 'g1'")
      try await schema.sql("update users set display_name = 'Ann Ö' where id = 'g1-1'")
      try await body(schema, due)
    }
  }

  private func keys(_ line: Substring) throws -> [String] {
    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return (object ?? [:]).keys.sorted()
  }

  // MARK: - Status

  @Test(.sampled())
  func `the weeks are listed, newest first, with what is due and who holds it up`()
    async throws
  {
    try await withWeeks { schema, due in
      let (last, before) = (try await due.monday(1), try await due.monday(2))
      let status = try await schema.gymrats.succeed("week")
      let lines = status.split(separator: "\n")
      #expect(lines.count == 2)
      #expect(lines[0].hasPrefix("\(last)  ") && lines[0].contains(" 4 settling  BEHIND by "))
      #expect(lines[1].hasPrefix("\(before)  "))

      try await schema.holding(
        "select record_workout('g1-1', 'w', \(DueWeeks.late), 0)"
      ) { writer in
        try await schema.gymrats.succeed("week", "close", before)
        let ended = try await schema.gymrats.run("run", "close-week", "--json")
        #expect(ended.status == 75, "\(ended.errors)")
        #expect(
          ended.output == #"{"job":"close-week","result":"snoozed","runs":0,"report":{}}"# + "\n")
        #expect(ended.errors.contains("writers hold boards of weeks that are over"))
        let held = try await schema.gymrats.succeed("week", "status", "--held-for", "0")
        #expect(held.contains(" 2 settling 2 closed") || held.contains(" 2 settling  2 closed"))
        let holder = held.split(separator: "\n").last ?? ""
        #expect(holder.hasPrefix("held by process ") && holder.contains(" of postgres, open for "))
        #expect(holder.contains("(of \(schema.name)) of "))
        let json = try await schema.gymrats.succeed("week", "status", "--held-for", "0", "--json")
          .split(separator: "\n")
        try #require(json.count == 3)
        #expect(
          try keys(json[0]) == [
            "behind_seconds", "cancelled", "closed", "closed_at", "label", "open", "settling",
            "week_start",
          ])
        #expect(
          try keys(json[2]) == ["application", "pid", "query", "seconds", "user"])
        // The transaction has been open for less than a minute.
        #expect(try await !schema.gymrats.succeed("week", "status").contains("held by"))
      }
      try await schema.gymrats.succeed("run", "close-week")
      #expect(try await !schema.gymrats.succeed("week", "status").contains("BEHIND"))
      try await due.expectClosedOnce()
      let one = try await schema.gymrats.succeed("week", "status", "--limit", "1", "--json")
      #expect(one.split(separator: "\n").count == 1 && one.contains(#""week_start":"\#(last)""#))
      for bad in [["--limit", "0"], ["--limit", "x"], ["--held-for", "-1"]] {
        let ended = try await schema.gymrats.start(["week", "status"] + bad).wait()
        expectComplaint(ended, status: 64, what: bad[0], place: "arguments", next: "--help")
      }
    }
  }

  @Test func `sessions of another database hold nothing up`() async throws {
    try await TestSchema.with { schema in
      try await TestSchema.with { other in
        // Both are copies of one database, so a lock names the same table in both.
        let table = "select 'challenge'::regclass::oid::bigint"
        let (ours, theirs) = (try await schema.sql(table), try await other.sql(table))
        #expect(ours == theirs)
        try await other.holding("select from challenge for key share") { (_) async throws in
          #expect(try await holders(in: other) == 1)
          #expect(try await holders(in: schema) == 0)
        }
      }
    }
  }

  /// Returns the number of listed sessions.
  private func holders(in schema: TestSchema) async throws -> Int {
    try await schema.gymrats.succeed("week", "status", "--held-for", "0", "--json")
      .split(separator: "\n").filter { $0.contains(#""pid":"#) }.count
  }

  // MARK: - Close

  @Test(.sampled()) func `one week is closed by hand, and only when it is over`()
    async throws
  {
    try await withWeeks { schema, due in
      let (last, before) = (try await due.monday(1), try await due.monday(2))
      let tooEarly = try await schema.gymrats.run("week", "close", last, "--json")
      #expect(tooEarly.status == 75, "\(tooEarly.errors)")
      #expect(tooEarly.errors.contains("or an earlier week of their groups is open"))
      #expect(
        try await schema.gymrats.succeed("week", "close", before).hasPrefix(
          "close-week: 2 weeks closed, 0 members told"))
      #expect(
        try await schema.sql("select distinct week_start, state from challenge order by 1")
          == ["\(before),closed", "\(last),open"])
      #expect(
        try await schema.gymrats.succeed("week", "close", last, "--json").hasPrefix(
          #"{"job":"close-week","result":"done","runs":1,"report":{"weeks closed":2,"members"#))
      #expect(
        try await schema.gymrats.succeed("week", "close", last) == "close-week: nothing to do\n")
      try await due.expectClosedOnce()
      let now = try await due.monday(0)
      for (week, what) in [
        (now, "accepts workouts until"), ("2024-03-05", "is not a Monday"),
        ("2024-02-30", "is not a Monday"), ("", "is not a Monday"), ("now", "is not a Monday"),
        ("2024-3-4", "is not a Monday"), ("99999-01-04", "is not a Monday"),
      ] {
        expectComplaint(
          try await schema.gymrats.run("week", "close", week), status: 64, what: what, place: "WEEK"
        )
      }
    }
  }

  // MARK: - Reopen

  @Test(.sampled())
  func `a closed week is reopened for a reason, held open, and tells nobody again`()
    async throws
  {
    try await withWeeks { schema, due in
      try await schema.gymrats.succeed("run", "close-week")
      let last = try await due.monday(1)
      #expect(
        try await schema.gymrats.succeed(
          "week", "reopen", "Early birds", last, "--reason", "a phone was offline", "--minutes", "1"
        )
          == "reopened 2 boards of Early birds, week of \(last), for 1 min\n")
      #expect(
        try await schema.sql("select group_id, reason, reopened_by from week_reopening")
          == ["g1,\"a phone was offline\",postgres"])
      #expect(
        try await schema.gymrats.succeed("run", "close-week") == "close-week: nothing to do\n")
      #expect(try await !schema.gymrats.succeed("week").contains("BEHIND"), "it is held open")
      #expect(
        try await People(schema).record("g1-1", "x", at: DueWeeks.late)
          == "accepted")
      try await schema.sql("update challenge set reopened_until = now() where state = 'open'")
      #expect(
        try await schema.gymrats.succeed("run", "close-week").contains("1 week closed, 0 mem"))
      try await due.expectClosedOnce()
    }
  }

  @Test(.sampled())
  func `what cannot be reopened is refused by name, and nothing is changed`() async throws {
    try await withWeeks { schema, due in
      try await schema.gymrats.succeed("run", "close-week")
      let (last, now) = (try await due.monday(1), try await due.monday(0))
      let before = try await due.digests()
      let refusals: [([String], Int32, String)] = [
        (["nobody", last, "--reason", "r"], 66, "nobody"),
        (["g1", now, "--reason", "r"], 66, now),
        (["g1", "2024-03-05", "--reason", "r"], 64, "Monday"),
        (["g1", last], 64, "--reason"), (["g1", last, "--reason", ""], 64, "--reason"),
        (["g1", last, "--reason", " \t"], 64, "--reason"),
        (["g1", last, "--reason", "r", "--minutes", "0"], 64, "--minutes"),
        (["g1", last, "--reason", "r", "--minutes=-5"], 64, "--minutes"),
        (["g1", last, "--reason", "r", "--minutes", "10081"], 64, "--minutes"),
        (["g1", last, "--reason", "r", "--minutes", "9223372036854775807"], 64, "--minutes"),
        (["g1", last, "--reason", "r", "--minutes", "99999999999999999999"], 64, "--minutes"),
      ]
      for (arguments, status, what) in refusals {
        let ended = try await schema.gymrats.start(["week", "reopen"] + arguments).wait()
        expectComplaint(ended, status: status, what: what)
      }
      #expect(try await due.digests() == before)
    }
  }

  // MARK: - Notifications

  @Test(.sampled()) func `what members were told is listed, by id or by name, read or not`()
    async throws
  {
    try await withWeeks { schema, due in
      #expect(try await schema.gymrats.succeed("notifications") == "no notifications\n")
      try await schema.gymrats.succeed("run", "close-week")
      let all = try await schema.gymrats.succeed("notifications").split(separator: "\n")
      #expect(
        all.count == 4 && all.allSatisfy { $0.contains("  • ") && $0.contains(" has ended: ") })
      let mine = try await schema.gymrats.succeed("notifications", "Ann Ö")
      #expect(mine.split(separator: "\n").count == 1 && mine.contains("• Ann Ö  Week "))
      #expect(try await schema.gymrats.succeed("notifications", "g1-1") == mine)
      let json = try await schema.gymrats.succeed("notifications", "g1-1", "--json")
      #expect(
        try keys(json.dropLast()) == [
          "changed_at", "content", "created_at", "group", "id", "is_read", "member", "message",
          "type", "user",
        ])
      #expect(json.contains(#""group": "Early birds""#) && json.contains(#""is_read": false"#))
      try await schema.sql("update notification set is_read = true where user_id = 'g1-1'")
      #expect(
        try await schema.gymrats.succeed("notifications", "g1-1", "--unread")
          == "no notifications\n")
      #expect(try await schema.gymrats.succeed("notifications", "g1-1", "--unread", "--json") == "")
      #expect(
        try await schema.gymrats.succeed("notifications", "g1-1") == mine.replacing("•", with: " "))
      let two = try await schema.gymrats.succeed("notifications", "--limit", "2")
      #expect(two.split(separator: "\n").count == 2)
      expectComplaint(
        try await schema.gymrats.run("notifications", "nobody"), status: 66, what: "'nobody'",
        place: "DATABASE_URL", next: "id or name")
      for limit in ["0", "-1", "1000001", "x"] {
        expectComplaint(
          try await schema.gymrats.run("notifications", "--limit=\(limit)"), status: 64,
          what: "limit", place: "arguments", next: "--help")
      }
    }
  }

  // MARK: - Schedules

  @Test(.sampled()) func `the schedules of the jobs are those of the weeks`() async throws {
    try await TestSchema.with { schema in
      try await schema.gymrats.succeed("migrate")
      let text = try await schema.gymrats.succeed("schedule")
      let rows = text.split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
      for row in [
        "close-week 0 0 * * 1 UTC once", "notify-rank-changes every 30 s - once",
        "open-week 0 12 * * 6 UTC once", "retention 17 3 * * * UTC once",
        "verify-boards 47 3 * * * UTC once",
      ] { #expect(rows.contains { $0.hasPrefix(row) }, "\(row): \(text)") }
      // The grace period is ten minutes.
      #expect(rows.contains { $0.contains("T00:00:00Z 2") && $0.contains("T00:10:00Z") }, "\(text)")
      let json = try await schema.gymrats.succeed("schedule", "list", "--json").split(
        separator: "\n")
      #expect(json.count == 6)
      #expect(
        try keys(json[0]) == [
          "delay_seconds", "expression", "fires_at", "job", "missed", "next_at", "source",
          "time_zone",
        ])
      #expect(json[0].contains(#""delay_seconds":600"#))
      // The result does not depend on the server's zone or on the grace period.
      let mondays = try await schema.gymrats.succeed(
        "schedule", "next", "close-week", "--count", "60"
      )
      .split(separator: "\n").map { try Date(String($0), strategy: .iso8601).timeIntervalSince1970 }
      #expect(mondays.allSatisfy { $0.truncatingRemainder(dividingBy: 604_800) == 345_600 })
      #expect(zip(mondays, mondays.dropFirst()).allSatisfy { $1 - $0 == 604_800 })
      try await schema.sql("update setting set grace = '12 hours'")
      #expect(
        try await schema.gymrats.succeed("schedule", "list", "--json").contains(
          #""delay_seconds":43200,"#))
    }
  }
}
