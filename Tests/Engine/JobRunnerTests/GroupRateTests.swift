import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the rate of each group: no group exceeds its rate, no group waits for another group, and a
/// waiting group costs nothing.
@Suite struct GroupRateTests {
  private static let paced = GroupRatedJob.registered
  private static let slow = SlowGroupJob.registered

  private func group(of key: String) -> String { String(key.prefix { $0 != "/" }) }

  /// Enqueues this number of runs for each group.
  private func ask(_ meter: Meter, _ job: String, _ runs: Int, of groups: String) async throws {
    try await meter.ask(
      """
      select enqueue('\(job)', g || '/' || n)
      from generate_series(1, \(runs)) n, unnest(string_to_array('\(groups)', ' ')) g
      """)
  }

  /// The dispatch holds back 120 runs of a group, and 30 runs when they block a claim.
  @Test(.sampled(), arguments: [30, 120])
  func `no group exceeds its rate, and none waits for another one`(runs: Int) async throws {
    try await Meter.with { meter in
      let began = ContinuousClock.now
      try await ask(meter, "group-rated", runs, of: "a b")
      var starts: [String: Int] = [:]
      func claim() async throws {
        for key in try await meter.claim(Self.paced) {
          starts[group(of: key), default: 0] += 1
          try await meter.end(key)
        }
      }
      try await claim()
      #expect(starts == ["a": 2, "b": 2])
      try await ask(meter, "group-rated", 1, of: "c")
      for _ in 1...2 { try await claim() }
      #expect(starts["c"] == 1)
      // A slow machine may need more than 1.5 s until each group has more starts than at first.
      try await eventually("more starts of both groups") {
        try await claim()
        let seconds = began.duration(to: .now) / .seconds(1)
        for (group, count) in starts { #expect(Double(count) <= 2 + seconds * 5, "\(group)") }
        return seconds >= 1.5 && ["a", "b"].allSatisfy { starts[$0, default: 0] >= 4 }
      }
    }
  }

  @Test func `the poll says when the next group may start, and does not claim before`() async throws
  {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 120, of: "a b c")
      for _ in 1...10 {
        // Each group has at most one running run.
        let keys = try await meter.claim(Self.slow)
        #expect(keys.map(group) == ["a", "b", "c"])
        for key in keys { try await meter.end(key) }
      }
      #expect(try await meter.claim(Self.slow) == [])
      #expect(try await meter.isDue(Self.slow) == false)
      let next = try #require(try await Queue(meter.session).poll().nextDue)
      #expect(next > .seconds(30) && next <= .seconds(60))
      #expect(try await meter.test.sql("select count(*) from held_group") == ["3"])
      // After a minute, each group gets one more start.
      try await meter.test.sql("update limit_start set rested_at = rested_at - interval '1 minute'")
      try await meter.test.sql("update held_group set due = due - interval '1 minute'")
      #expect(try await meter.claim(Self.slow).map(group) == ["a", "b", "c"])
    }
  }

  @Test func `groups do not wait for the starts of a slower rate`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 120, of: "a b")
      for _ in 1...10 {
        for key in try await meter.claim(Self.slow) { try await meter.end(key) }
      }
      #expect(try await meter.claim(Self.slow) == [])
      let faster = FasterGroupJob.registered
      try await Queue(meter.session).define([faster])
      try await eventually("both groups start") {
        try await meter.claim(faster).map(group) == ["a", "b"]
      }
    }
  }

  @Test func `groups do not wait for the starts of a rate that was removed`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 10, of: "a")
      for _ in 1...10 {
        for key in try await meter.claim(Self.slow) { try await meter.end(key) }
      }
      try await removeLimits(of: "slow-group", meter)
      #expect(try await meter.test.count("job_limit where job = 'slow-group'") == 0)
      // All starts of the new rate take two seconds.
      let late = "limit_start where group_key = 'a' and rested_at > now() + interval '3 seconds'"
      #expect(try await meter.test.count(late) > 0)
      try await Queue(meter.session).define([FasterGroupJob.registered])
      #expect(try await meter.test.count(late) == 0)
    }
  }

  @Test func `a changed rate also applies to the starts of a claim in progress`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await queue.define([Self.slow])
      try await test.duringClaim(of: "slow-group", storing: "10 minutes") {
        try await queue.define([FasterGroupJob.registered])
      }
      // All starts of the new rate take two seconds.
      #expect(try await test.hasEarlyTimes(within: "3 seconds") == ["t,t"])
      await connection.close()
    }
  }

  private func removeLimits(of job: String, _ meter: Meter) async throws {
    try await meter.session.atomically(
      .run(
        SQL.Workers.defineLimits, job, Int32?.none, Int32?.none, String?.none, String?.none,
        Int32?.none, Int64?.none, Int32?.none, Int64?.none, Int32?.none))
  }

  @Test(.sampled()) func `of several groups that may start, each has its turn`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 101, of: "a b c d e")
      for _ in 1...4 {
        var seen: [String] = []
        for _ in 1...5 {
          let key = try #require(try await meter.claim(Self.slow, 1).first)
          seen.append(group(of: key))
          try await meter.end(key)
        }
        #expect(seen.sorted() == ["a", "b", "c", "d", "e"])
      }
    }
  }

  @Test(.sampled()) func `two workers that claim at once start no more than one`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "group-rated", 150, of: "a b c")
      let connection = try await meter.test.connect()
      let other = Session(connection, in: meter.test.schema)
      let began = ContinuousClock.now
      async let first = starts(meter, on: meter.session, since: began)
      async let second = starts(meter, on: other, since: began)
      let starts = try await first + second
      let seconds = began.duration(to: .now) / .seconds(1)
      let counts = Dictionary(grouping: starts, by: group).mapValues(\.count)
      #expect(counts.count == 3)
      for (group, count) in counts { #expect(Double(count) <= 2 + seconds * 5, "\(group)") }
      #expect(Set(starts).count == starts.count)
      await connection.close()
    }
  }

  private func starts(
    _ meter: Meter, on session: Session, since began: ContinuousClock.Instant
  ) async throws -> [String] {
    var (keys, claims) = ([String](), 0)
    // If the machine stops for a second, the session must still claim.
    while began.duration(to: .now) < .seconds(1) || claims < 5 {
      keys += try await meter.claim(Self.paced, on: session)
      claims += 1
    }
    return keys
  }

  @Test func `a claim that is rolled back counts no start and moves no turn`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 101, of: "a")
      let state = "select (select count(*) from limit_start), (select min(due) from held_group)"
      let before = try await meter.test.sql(state)
      try await meter.test.sql(
        """
        create function fail() returns trigger language plpgsql as $$
        begin raise exception 'no'; end $$
        """)
      try await meter.test.sql(
        "create trigger fail before insert on held_group execute function fail()")
      await #expect(throws: PostgresError.self) { try await meter.claim(Self.slow) }
      #expect(try await meter.test.sql(state) == before)
      try await meter.test.sql("drop trigger fail on held_group")
      #expect(try await meter.claim(Self.slow).count == 1)
    }
  }

  @Test(.sampled()) func `manual and quarantined runs count, and wait for the rate of their group`()
    async throws
  {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 10, of: "a")
      for _ in 1...10 { try await meter.end(try #require(try await meter.claim(Self.slow).first)) }
      try await ask(meter, "slow-group", 1, of: "a")
      let runner = meter.test.inlineRunner(Self.slow)
      #expect(try await runner.work(key: "a/x", patience: .milliseconds(100)) == .alreadyRunning)
      let quarantined = QueueCalls.claimQuarantined(
        Self.slow.definition, limit: 10, token: UUID(), worker: UUID())
      try await meter.test.sql("update run set batch_limit = 10, is_held = false")
      let claim = { @Sendable (_: Int, _: QueueFront.Marks) in quarantined }
      let job = Self.slow.definition
      #expect(try await meter.session.claimInTurn(job, limit: 10, claim).isEmpty)
      try await meter.test.sql("delete from limit_start")
      for _ in 1...9 { _ = try await meter.test.inlineRunner(Self.slow).work(key: "a/x") }
      #expect(try await meter.session.claimInTurn(job, limit: 10, claim).count == 1)
      try await meter.end("a/1")
      #expect(try await runner.work(key: "a/y", patience: .milliseconds(100)) == .alreadyRunning)
    }
  }

  @Test func `a group without a turn gets one, and a rate that is taken away leaves none`()
    async throws
  {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 101, of: "a b")
      try await ask(meter, "region", 101, of: "a")
      try await meter.test.sql("delete from held_group")
      #expect(try await meter.claim(Self.slow) == [])
      let last = try await Queue(meter.session).addTurns()
      #expect(last == Queue.HeldGroup())
      _ = try await Queue(meter.session).addTurns()
      let turns = try await meter.test.sql("select job, group_key from held_group order by 1, 2")
      #expect(turns == ["slow-group,a", "slow-group,b"])
      #expect(try await meter.claim(Self.slow).map(group) == ["a", "b"])
      try await removeLimits(of: "slow-group", meter)
      #expect(try await meter.test.count("held_group") == 0)
      #expect(try await meter.claim(Self.slow).count == 100)
    }
  }

  /// A missing turn is found, also after many groups that have their turns.
  @Test func `one call adds the missing turns of all groups`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 101, of: "a b c")
      try await meter.test.sql("delete from held_group where group_key = 'c'")
      let last = try await Queue(meter.session).addTurns(atOnce: 1, within: .seconds(60))
      #expect(last == Queue.HeldGroup())
      #expect(
        try await meter.test.sql("select group_key from held_group order by 1") == ["a", "b", "c"])
    }
  }

  /// While a job is paused or has reached its limit, each dispatch adds a turn.
  @Test func `dispatches for a waiting group do not add turns without end`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "slow-group", 101, of: "a b")
      try await meter.test.sql("update held_group set due = now() - interval '1 minute'")
      for number in 1...5 {
        try await meter.ask("select enqueue('slow-group', 'a/new\(number)')")
      }
      #expect(try await meter.test.sql("select count(*) > 2 from held_group") == ["t"])
      #expect(try await Queue(meter.session).addTurns() == Queue.HeldGroup())
      // The group keeps its place in the order of turns.
      let turns = try await meter.test.sql(
        """
        select group_key, count(*), min(due) <= now() - interval '1 minute' from held_group
        group by group_key order by group_key
        """)
      #expect(turns == ["a,1,t", "b,1,t"])
      #expect(try await meter.claim(Self.slow).map(group) == ["a", "b"])
    }
  }

  @Test(.sampled()) func `a full claim leaves the later turns to later claims`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await Queue(session).define([Self.slow])
      try await LimitPages.fill(test, groups: 1_500, runsOfEach: 1)
      try await test.sql("delete from limit_start")
      try await test.sql(
        "update held_group set due = now() - interval '1 s' + id * interval '1 us'")
      try await test.sql("analyze held_group")
      var pages: [Int] = []
      for visitedAll in [true, false] {
        pages.append(
          try await test.pages(
            of: SQL.Queue.setTurns,
            "text, tid[], bigint, int[], timestamptz[], timestamptz, boolean",
            "'slow-group', '{}', 20, '{}', '{}', null, \(visitedAll)"))
      }
      print("pages of set_turns beside 1,500 due turns, after all and after 20: \(pages)")
      #expect(pages[1] < pages[0] / 10)
      let claimer = Claimer(of: Self.slow.definition, from: QueueFront())
      claimer.order = .group
      var groups: Set<String> = []
      for _ in 1...15 {
        let runs = try await claimer.claim(
          Self.slow.definition, limit: 100, token: UUID(), worker: UUID(), on: session,
          while: { true })
        groups.formUnion(runs.map { group(of: $0.key) })
      }
      #expect(groups.count == 1_500)
      await connection.close()
    }
  }

  @Test func `a run that is due earlier than the group's turn moves the turn`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('slow-group', 'a/' || n, run_at => now() + interval '1 h') from generate_series(1, 101) n"
      )
      // A worker of an earlier release holds runs that are due later.
      try await meter.test.sql("update run set is_held = true")
      try await meter.test.sql(
        "insert into held_group (job, group_key, due) select job, group_key, max(due) from run group by 1, 2"
      )
      #expect(try await meter.claim(Self.slow) == [])
      try await ask(meter, "slow-group", 1, of: "a")
      #expect(try await meter.claim(Self.slow) == ["a/1"])
    }
  }

  /// `BATON_QUEUE_RUNS=1000000` tests the full size, which has 100,000 groups.
  @Test(.sampled()) func `groups that wait for their rate cost polls and claims nothing`()
    async throws
  {
    let runs = ProcessInfo.processInfo.environment["BATON_QUEUE_RUNS"].flatMap { Int($0) } ?? 30_000
    let (few, many) = (try await pages(beside: 100), try await pages(beside: runs / 10))
    print("pages beside 100 groups that wait: \(few); beside \(runs / 10): \(many)")
    for (statement, pages) in few {
      #expect(pages > 0)
      #expect(many[statement, default: .max] <= pages * 2 + 20, "\(statement)")
    }
  }

  /// Returns the pages of each statement beside groups that wait for their next start.
  ///
  /// One group may start.
  private func pages(beside groups: Int) async throws -> [String: Int] {
    var pages: [String: Int] = [:]
    try await TestSchema.with { test in
      let connection = try await test.connect()
      try await Queue(Session(connection, in: test.schema)).define([Self.slow])
      await connection.close()
      try await LimitPages.fill(test, groups: groups, runsOfEach: 10)
      try await test.sql("update held_group set due = now() where group_key = 'g000050'")
      try await test.sql("delete from limit_start where group_key = 'g000050'")
      pages = try await LimitPages.measure(test, QueueFront.Marks(), job: "slow-group")
    }
    return pages
  }
}
