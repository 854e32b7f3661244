import Foundation
import TestSupport
import Testing

/// Tests many processes with one effect, workers that poll no schedules, and two schemas.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct WeekCrowdTests {
  @Test(.sampled()) func `five workers, twenty closes and writers close each week once`()
    async throws
  {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      try await due.make(groups: 30, members: 3, weeks: [1, 2])
      // The writers create the entries of these groups in the week that is being closed.
      for group in 1...30 { try await People(schema).join("w\(group)", group: "g\(group)") }
      let workers = try (0..<5).map { _ in try schema.gymrats.start("worker", "--concurrency", "2")
      }
      defer { for worker in workers { worker.signal(SIGKILL) } }
      let closes = try (0..<20).map { _ in try schema.gymrats.start("run", "close-week", "--json") }
      defer { for close in closes { close.signal(SIGKILL) } }
      var accepted: [String] = []
      for number in 0..<120 {
        let writer = "w\(number % 30 + 1)"
        let outcome = try await People(schema).record(
          writer, "\(number)", at: DueWeeks.late)
        #expect(["accepted", "acceptedLate"].contains(outcome))
        if outcome == "accepted" { accepted.append(writer) }
      }
      var results: [String: Int] = [:]
      for close in closes {
        let ended = try await close.wait()
        #expect([0, 75].contains(ended.status), "\(ended.errors)")
        for result in ["done", "nothing", "running", "snoozed"]
        where ended.output.contains(#""result":"\#(result)""#) { results[result, default: 0] += 1 }
      }
      #expect(results.values.reduce(0, +) == 20)
      print("20 closes: \(results), \(accepted.count) of 120 workouts in time")
      try await eventually("everything closed") {
        try await schema.sql(
          "select count(*) from challenge where state = 'open' and ends_at < now()")
          == ["0"]
      }
      try await stop(workers)
      try await due.expectClosedOnce()
      let counted = try await schema.sql(
        """
        select coalesce(sum(s.value), 0) from standing s join challenge c on c.id = s.challenge_id
        where s.user_id like 'w%' and c.type = 'check-ins'
        """)
      #expect(counted == ["\(accepted.count)"], "workouts that were accepted, on the boards")
      #expect(try await schema.sql("select error from dead_run") == [])
      let told = try await schema.sql(
        "select (select count(*) from closed_week), (select count(*) from notification)")
      #expect(told == ["60,120"])
    }
  }

  @Test(.sampled()) func `a worker fires the schedules by itself`() async throws {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      try await schema.gymrats.succeed("migrate")
      try await due.make(groups: 3, members: 3, weeks: [1, 2, 14], isSilent: true)
      let people = People(schema)
      for user in ["ann", "bob"] { try await people.join(user, group: "h") }
      #expect(try await people.record("ann", "1") == "accepted")
      #expect(try await people.record("bob", "1") == "accepted")
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("ranks") { try await people.published("bob") == 1 }
      #expect(try await schema.sql("select count(*) from closed_week") == ["0"])

      try await fire("notify-rank-changes", schema)
      try await eventually("ranks that are told first, silently") {
        try await schema.sql(
          """
          select count(told_rank) from standing
          where challenge_id in (select id from challenge where group_id = 'h')
          """) == ["4"]
      }
      _ = try await people.record("bob", "2")
      try await eventually("a new rank") { try await people.published("bob") == 2 }
      try await fire("notify-rank-changes", schema)
      try await eventually("a notification") {
        try await schema.sql(
          "select user_id from notification where type = 'rank_change' and content ->> 'challenge' = 'check-ins'"
        ) == ["ann"]
      }
      for (job, count) in [("close-week", "9"), ("open-week", "8"), ("retention", "6")] {
        try await fire(job, schema)
        try await eventually("a run of \(job)") {
          try await schema.sql(
            "select count(*) from run_history where job = '\(job)' and report::text ~ ': \(count)[,}]'"
          ) == ["1"]
        }
      }
      try await stop([worker])
      try await due.expectClosedOnce()
      try await WeekCronTests.expectNothingOld(schema)
      let fired = try await schema.sql(
        """
        select job, count(*) > 0, bool_and(last_fired_at > now() - interval '5 minutes')
        from occurrence join schedule using (job) where outcome = 'fired' group by 1 order by 1
        """)
      #expect(
        fired == [
          "close-week,t,t", "notify-rank-changes,t,t", "open-week,t,t", "retention,t,t",
        ])
    }
  }

  /// No poll occurs and no schedule is due, so the board itself triggers the closing.
  @Test(.sampled())
  func `a late workout makes a board of a closed week, and a worker closes it at once`()
    async throws
  {
    try await TestSchema.with { schema in
      let due = DueWeeks(schema: schema)
      try await due.make(groups: 1, members: 2, weeks: [1])
      let worker = try schema.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      for user in ["ann", "bob"] { try await People(schema).join(user, group: "h") }
      #expect(
        try await People(schema).record("ann", "1", at: DueWeeks.late)
          == "accepted")
      try await eventually("the close of both groups") {
        try await schema.sql("select count(*) from challenge where state = 'closed'") == ["4"]
      }
      try await stop([worker])
      try await due.expectClosedOnce()
    }
  }

  @Test(.sampled())
  func `two schemas of one database know nothing of each other's weeks and schedules`()
    async throws
  {
    try await TestSchema.besideEachOther { one, other in
      for schema in [one, other] {
        try await schema.gymrats.succeed("migrate")
        try await DueWeeks(schema: schema).make(
          groups: 2, members: 2, weeks: [1], isSilent: true)
      }
      try await one.gymrats.succeed("schedule", "pause", "close-week")
      let untouched = try await DueWeeks(schema: other).digests()
      try await one.gymrats.succeed("run", "close-week")
      try await one.gymrats.succeed("worker", "--until-idle")
      try await one.gymrats.succeed(
        "week", "reopen", "g1", try await DueWeeks(schema: one).monday(1), "--reason", "x")
      #expect(try await one.gymrats.succeed("notifications").contains("g1-1"))
      #expect(try await other.gymrats.succeed("notifications") == "no notifications\n")
      #expect(try await other.gymrats.succeed("week", "status").contains("4 settling"))
      #expect(try await DueWeeks(schema: other).digests() == untouched)
      try await fire("close-week", other)
      let worker = try other.gymrats.start("worker")
      defer { worker.signal(SIGKILL) }
      try await eventually("the close of the other schema") {
        try await other.sql("select count(*) from challenge where state = 'closed'") == ["4"]
      }
      try await stop([worker])
      try await DueWeeks(schema: other).expectClosedOnce()
      #expect(
        try await one.sql("select count(*) from challenge where state = 'open'") == ["2"],
        "what was reopened here stays open")
    }
  }

  // MARK: Parts

  /// Makes an occurrence due now, even if it has fired before.
  private func fire(_ job: String, _ schema: TestSchema) async throws {
    try await schema.sql("delete from occurrence where job = '\(job)'")
    try await schema.sql(
      "update schedule set next_at = now() - interval '8 days' where job = '\(job)'")
  }

  private func stop(_ workers: [TestProcess]) async throws {
    for worker in workers { worker.signal(SIGTERM) }
    for worker in workers {
      let ended = try await worker.wait()
      #expect(ended.status == 0, "\(ended.errors)")
    }
  }
}
