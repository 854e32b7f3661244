import BatonPostgres
import Foundation
import JobRunner
import Synchronization
import TestSupport
import Testing

/// Limits while workers are killed.
///
/// The server counts running runs at each claim.
@Suite(.timeLimit(.minutes(5)))
struct LimitFaultTests {
  /// After each claim, records the number of running runs, in total and for the fullest group, with
  /// the time.
  ///
  /// Claims take turns, so no run starts at the same time.
  private static let watch = [
    "create table effect (key text)",
    "create table started (at timestamptz, key text, running bigint, of_group bigint)",
    """
    create function watch() returns trigger language plpgsql as $$
    begin
      insert into started
      select clock_timestamp(), new.key, count(*), count(*) filter (where group_key = new.group_key)
      from run where job = 'metered' and state = 'running';
      return null;
    end $$
    """,
    """
    create trigger watch after update on run for each row
    when (new.state = 'running' and old.state = 'ready') execute function watch()
    """,
  ]

  /// Waits until a worker has runs in progress, and returns the worker's place.
  ///
  /// On a slow machine, the workers may have ended all runs, so the function adds runs.
  private func placeWithRuns(_ workers: [TestProcess], _ runs: Runs) async throws -> Int {
    var place: Int?
    try await eventually("a worker with runs in progress") {
      let ids = try await runs.schema.sql(
        """
        select distinct regexp_replace(w.name, '.*:', '') from run r join worker w on w.id = r.worker
        where r.state = 'running'
        """)
      place = workers.firstIndex { ids.contains("\($0.id)") }
      if try await runs.schema.sql("select count(*) < 10 from run") == ["t"] {
        try await runs.add(25, groups: 7)
      }
      return place != nil
    }
    return try #require(place)
  }

  @Test(.sampled()) func `no limit is exceeded while workers are killed`() async throws {
    try await TestSchema.with { schema in
      for statement in Self.watch { try await schema.sql(statement) }
      var workers: [TestProcess] = []
      for _ in 0..<3 { workers.append(try started(schema)) }
      try await eventually("the job") {
        try await schema.sql("select name from job") == ["metered"]
      }
      let runs = Runs(schema: schema)
      let most = "select max(running), max(of_group) from started"
      // While the test holds the lock, no run ends. The number of running runs therefore rises to the
      // limit on any machine. With five runs in three groups, one group has two runs.
      try await schema.holding("lock table effect in share mode") { _ in
        try await runs.add(12, groups: 3)
        try await eventually("as many running runs as the limits permit") {
          try await schema.sql(most) == ["5,2"]
        }
      }
      let kills = TestSize.isFull ? 60 : 8
      try await runs.add(kills * 25, groups: 7)
      let random = Randomness()
      for _ in 0..<kills {
        try await Task.sleep(for: .milliseconds(random.number(in: 150...400)))
        let place = try await placeWithRuns(workers, runs)
        workers[place].signal(SIGKILL)
        _ = try await workers[place].wait(within: .seconds(10))
        workers[place] = try started(schema)
      }
      try await eventually("the end of all", within: .seconds(60) * patience) {
        try await schema.sql("select count(*) from run") == ["0"]
      }
      for worker in workers {
        worker.signal(SIGKILL)
        _ = try await worker.wait(within: .seconds(10))
      }
      #expect(try await schema.sql("select count(distinct key) from effect") == ["\(runs.count)"])
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
      #expect(try await schema.sql(most) == ["5,2"], "the limits were reached, and never exceeded")
      // In any period, the number of starts is at most the burst plus the rate of 100 a second.
      let excess = try await schema.sql(
        """
        select max(excess) from (
          select nth - extract(epoch from at) * 100
            - min(nth - 1 - extract(epoch from at) * 100) over (order by at, nth) as excess
          from (select at, row_number() over (order by at) as nth from started) s) e
        """)
      let most100 = try #require(excess.first.flatMap { Double($0) })
      print("\(kills) kills; most starts beyond the rate: \(most100)")
      #expect(most100 <= 5.001)
      // The same holds for each group, with 3 concurrent runs and 30 starts a second.
      let ofGroup = try await schema.sql(
        """
        select max(excess) from (
          select nth - extract(epoch from at) * 30
            - min(nth - 1 - extract(epoch from at) * 30) over (partition by g order by at, nth) as excess
          from (
            select at, g, row_number() over (partition by g order by at) as nth
            from started, split_part(key, '/', 1) g) s) e
        """)
      let most30 = try #require(ofGroup.first.flatMap { Double($0) })
      print("most starts of a group beyond its rate: \(most30)")
      #expect(most30 <= 3.001)
    }
  }

  private func started(_ schema: TestSchema) throws -> TestProcess {
    try TestProcess(
      try BatonProgram.path(of: "CrashingWorker"), [],
      environment: BatonProgram.inherited.merging([
        "DATABASE_URL": schema.configuration.address, "BATON_SCHEMA": schema.schema.name,
        "METERED": "1",
      ]) { $1 }, directory: "/")
  }
}

/// The runs that the test has added to the queue.
private final class Runs: Sendable {
  let schema: TestSchema
  private let added = Mutex(0)

  init(schema: TestSchema) { self.schema = schema }

  /// The number of added runs, which all have different keys.
  var count: Int { added.withLock { $0 } }

  /// Adds runs that belong to a number of groups in turn.
  func add(_ number: Int, groups: Int) async throws {
    let first = added.withLock { added in
      defer { added += number }
      return added + 1
    }
    try await schema.sql(
      """
      select enqueue('metered', 'g' || n % \(groups) || '/' || n)
      from generate_series(\(first), \(first + number - 1)) n
      """)
  }
}
