import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests many groups with a backlog.
///
/// Each group has its turn, and a claim reads no more than with few groups.
@Suite struct GroupTurnTests {
  private static let region = RegionJob.registered

  /// Inserts runs of the `region` job that are held in their groups' queues, with the same number
  /// in each group.
  private func hold(_ runs: Int, inEachOf groups: Int, _ test: JobTest) async throws {
    try await test.sql(Self.held(runs, inEachOf: groups))
  }

  private static func held(_ runs: Int, inEachOf groups: Int) -> String {
    """
    insert into run (job, key, state, due, first_event_at, last_event_at, group_key, is_held)
    select 'region', format('g%s/%s', lpad(g::text, 6, '0'), n), 'ready', now() - interval '1 h',
      now(), now(), 'g' || lpad(g::text, 6, '0'), true
    from generate_series(1, \(groups)) g, generate_series(1, \(runs)) n
    """
  }

  private func group(of key: String) -> Substring { key.prefix { $0 != "/" } }

  @Test(.sampled()) func `no group has a second run before each had its first`() async throws {
    try await Meter.with { meter in
      try await hold(3, inEachOf: 40, meter.test)
      for _ in 1...3 {
        var seen: Set<Substring> = []
        for _ in 1...40 {
          let keys = try await meter.claim(Self.region, 1)
          let key = try #require(keys.first)
          #expect(keys.count == 1 && seen.insert(group(of: key)).inserted, "\(key) again")
          try await meter.end(key)
        }
      }
      #expect(try await meter.test.count("run") == 0)
    }
  }

  @Test func `a claim of many runs takes the groups in turn too, within their limit`() async throws
  {
    try await Meter.with { meter in
      try await hold(2, inEachOf: 50, meter.test)
      let first = try await meter.claim(Self.region, 30)
      let second = try await meter.claim(Self.region, 30)
      #expect(Set(first.map(group)).count == 30)
      // The second claim gets the other groups, and no run of the first groups, which are full.
      #expect(Set(second.map(group)).count == 20)
      #expect(Set(first.map(group)).isDisjoint(with: second.map(group)))
      #expect(try await meter.claim(Self.region, 30) == [])
    }
  }

  @Test func `the first run of a new group begins beside any backlog`() async throws {
    try await Meter.with { meter in
      try await hold(5, inEachOf: 300, meter.test)
      for _ in 1...7 { try await meter.end(meter.claim(Self.region, 1)[0]) }
      try await meter.ask("select enqueue('region', 'new/1')")
      let next = try await meter.claim(Self.region, 1) + meter.claim(Self.region, 1)
      #expect(next.contains("new/1"), "\(next)")
    }
  }

  /// A claim of one run reads the first 102 runs of the front.
  ///
  /// Every tenth claim holds the runs of full groups, even if it returns a run.
  @Test func `runs of a full group do not hide a new group while each claim finds a held run`()
    async throws
  {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('region', 'full/0')")
      #expect(try await meter.claim(Self.region, 1) == ["full/0"])
      try await hold(2, inEachOf: 30, meter.test)
      try await meter.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key)
        select 'region', 'full/' || n, 'ready', now() - interval '1 h' + n * interval '1 us', now(),
          now(), 'full'
        from generate_series(1, 200) n
        """)
      try await meter.ask("select enqueue('region', 'new/1')")
      var keys: [String] = []
      for _ in 1...20 {
        let key = try #require(try await meter.claim(Self.region, 1).first)
        try await meter.end(key)
        keys.append(key)
      }
      #expect(keys.contains("new/1"), "\(keys)")
    }
  }

  /// Timers of many groups may become due at the same time.
  ///
  /// Each claimed run ends at once, so no group is full when a claim holds runs.
  @Test(.sampled()) func `runs that become due together do not hide a new group`() async throws {
    try await Meter.with { meter in
      try await meter.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key)
        select 'region', format('g%s/%s', g, n), 'ready', now() - interval '1 minute', now(), now(), 'g' || g
        from generate_series(1, 10) g, generate_series(1, 200) n
        order by g, n
        """)
      try await meter.ask("select enqueue('region', 'new/1')")
      var keys: [String] = []
      for _ in 1...50 {
        let key = try #require(try await meter.claim(Self.region, 1).first)
        try await meter.end(key)
        keys.append(key)
      }
      #expect(keys.contains("new/1"), "\(keys)")
    }
  }

  @Test func `runs at the front leave every second claim to the groups' queues`() async throws {
    try await Meter.with { meter in
      try await hold(2, inEachOf: 10, meter.test)
      try await meter.ask(
        "select enqueue('region', 'front' || n || '/1') from generate_series(1, 20) n")
      var fromFront = 0
      for _ in 1...10 {
        let key = try await meter.claim(Self.region, 1)[0]
        if key.hasPrefix("front") { fromFront += 1 }
        try await meter.end(key)
      }
      #expect(fromFront == 5)
    }
  }

  @Test func `claims of the oldest runs prefer the groups' queues every second time`() {
    let turn = GroupTurn()
    var byAge: [Bool] = []
    for claim in 1...40 {
      let isByAge = claim.isMultiple(of: 10)
      let next = turn.next(isByAge: isByAge)
      if isByAge { byAge.append(next.isHeldFirst) }
    }
    #expect(byAge == [false, true, false, true])
  }

  /// A dry run locks runs of the front, and a dry run of a key may lock a held run.
  @Test(arguments: [false, true])
  func `runs that a dry run has locked do not delay other runs`(areHeld: Bool) async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await Queue(session).define([Self.region])
      try await test.sql(Self.held(2, inEachOf: 2))
      if !areHeld { try await test.sql("update run set is_held = false") }
      let claimer = Claimer(of: Self.region.definition, from: QueueFront())
      try await test.holding("select from run where key like '%/1' for key share") { _ in
        var keys: Set<String> = []
        for _ in 1...2 {
          let runs = try await claimer.claim(
            Self.region.definition, limit: 1, token: UUID(), worker: UUID(), on: session,
            while: { true })
          keys.formUnion(runs.map(\.key))
        }
        #expect(keys == ["g000001/2", "g000002/2"])
      }
      await connection.close()
    }
  }

  @Test func `one group with both kinds of runs keeps its limit`() async throws {
    try await Meter.with { meter in
      try await hold(2, inEachOf: 1, meter.test)
      try await meter.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key)
        select 'region', 'g000001/x' || n, 'ready', now() - interval '2 h', now(), now(), 'g000001'
        from generate_series(1, 3) n
        """)
      for _ in 1...5 {
        let keys = try await meter.claim(Self.region)
        #expect(keys.count == 1)
        try await meter.end(keys[0])
      }
      #expect(try await meter.test.count("run") == 0)
    }
  }

  @Test func `a group begins its most urgent waiting run, and at each tenth claim its oldest run`()
    async throws
  {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('region', 'g/old', priority => 9)")
      try await meter.ask(Self.urgent)
      let begun = try await begin(12, meter)
      #expect(begun.firstIndex(of: "g/old") == 9, "\(begun)")
    }
  }

  @Test func `a group begins its most urgent held run, and at each tenth claim its oldest run`()
    async throws
  {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('region', 'g/first')")
      #expect(try await meter.claim(Self.region) == ["g/first"])
      try await meter.ask("select enqueue('region', 'g/old', priority => 9)")
      try await meter.ask(Self.urgent)
      // The group is full, so the second claim moves its runs into the group's queue.
      #expect(try await meter.claim(Self.region) == [])
      #expect(try await meter.test.count("run where is_held") == 13)
      try await meter.end("g/first")
      let begun = try await begin(12, meter)
      #expect(begun.firstIndex(of: "g/old") == 7, "\(begun)")
    }
  }

  private static let urgent =
    "select enqueue('region', 'g/' || n, priority => 1) from generate_series(1, 12) n"

  /// Claims and ends one run after another, and returns the runs in the order of their claims.
  private func begin(_ count: Int, _ meter: Meter) async throws -> [String] {
    var begun: [String] = []
    for _ in 1...count {
      let keys = try await meter.claim(Self.region, 1)
      begun.append(try #require(keys.first))
      #expect(keys.count == 1)
      try await meter.end(keys[0])
    }
    return begun
  }

  /// `BATON_QUEUE_RUNS=1000000` tests the full size, which has 100,000 groups.
  @Test(.sampled()) func `a claim reads as many pages with many groups as with few`() async throws {
    let runs = ProcessInfo.processInfo.environment["BATON_QUEUE_RUNS"].flatMap { Int($0) } ?? 30_000
    var pages: [Int] = []
    for groups in [100, runs / 10] {
      try await TestSchema.with { test in
        let connection = try await test.connect()
        try await Queue(Session(connection, in: test.schema)).define([Self.region])
        await connection.close()
        try await test.sql(Self.held(10, inEachOf: groups))
        pages.append(try await pagesOfClaim(test))
      }
    }
    print("pages of a claim by group beside 100 and \(runs / 10) groups: \(pages)")
    #expect(pages[0] > 0 && pages[1] <= pages[0] * 2 + 20)
  }

  /// `BATON_QUEUE_RUNS=1000000` tests 8,333 groups with a total of 1,000,000 runs.
  @Test(.sampled()) func `a claim does not read runs of many groups that are due later`()
    async throws
  {
    let runs = ProcessInfo.processInfo.environment["BATON_QUEUE_RUNS"].flatMap { Int($0) } ?? 36_000
    var pages: [Int] = []
    for groups in [50, runs / 120] {
      try await TestSchema.with { test in
        let connection = try await test.connect()
        let queue = Queue(Session(connection, in: test.schema))
        try await queue.define([Self.region])
        try await test.sql(
          """
          select enqueue('region', format('g%s/%s', lpad(g::text, 6, '0'), n), run_at => now() + interval '1 day')
          from generate_series(1, \(groups)) g, generate_series(1, 120) n
          """)
        try await test.sql("select enqueue('region', 'new/1')")
        _ = try await queue.foldAtOnce()
        #expect(try await queue.poll().dueJobs.map(\.name) == ["region"])
        await connection.close()
        pages.append(try await pagesOfClaim(test))
      }
    }
    print("pages of a claim beside runs of 50 and \(runs / 120) groups, due later: \(pages)")
    #expect(pages[0] > 0 && pages[1] <= pages[0] * 2 + 20)
  }

  /// Returns the pages of a claim of one run.
  private func pagesOfClaim(_ test: TestSchema) async throws -> Int {
    try await test.sql("analyze run")
    let lines = try await test.explain(
      SQL.Queue.claimByGroup,
      "text, bigint, uuid, uuid, boolean, text, boolean, int[], timestamptz[], bigint[], timestamptz, boolean, boolean",
      "'region', 1, gen_random_uuid(), gen_random_uuid(), false, 'g000050', false, '{}', '{}', '{}', null, true, false",
      options: "analyze, buffers, costs off, timing off")
    #expect(!lines.joined().contains("Seq Scan on run"))
    #expect(lines.joined().contains("group_limit_pkey"), "a function is called for each group")
    return try TestSchema.pages(in: lines)
  }
}
