import BatonPostgres
import Foundation
import JobRunner
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

  /// Waits until runs are running, also on a slow machine, while there are ready runs.
  private func holdsRuns(_ schema: TestSchema) async throws -> Bool {
    for _ in 0..<300 {
      let state = try await schema.sql(
        "select count(*) filter (where state = 'running') > 0, count(*) = 0 from run")
      if state != ["f,f"] { return state == ["t,f"] }
      try await Task.sleep(for: .milliseconds(10))
    }
    return false
  }

  @Test func `no limit is exceeded while workers are killed`() async throws {
    try await TestSchema.with { schema in
      for statement in Self.watch { try await schema.sql(statement) }
      var workers: [TestProcess] = []
      for _ in 0..<3 { workers.append(try started(schema)) }
      try await eventually("the job") {
        try await schema.sql("select name from job") == ["metered"]
      }
      let kills = TestSize.isFull ? 60 : 8
      let runs = kills * 25
      try await schema.sql(
        "select enqueue('metered', 'g' || n % 7 || '/' || n) from generate_series(1, \(runs)) n")
      var withRuns = 0
      let random = Randomness()
      for kill in 0..<kills {
        try await Task.sleep(for: .milliseconds(random.number(in: 150...400)))
        let place = kill % workers.count
        let isHeld = try await holdsRuns(schema)
        workers[place].signal(SIGKILL)
        _ = try await workers[place].wait(within: .seconds(10))
        withRuns += isHeld ? 1 : 0
        workers[place] = try started(schema)
      }
      try await eventually("the end of all", within: .seconds(60) * patience) {
        try await schema.sql("select count(*) from run") == ["0"]
      }
      for worker in workers {
        worker.signal(SIGKILL)
        _ = try await worker.wait(within: .seconds(10))
      }
      #expect(withRuns * 2 >= kills, "\(withRuns) of \(kills) kills with runs in hand")
      #expect(try await schema.sql("select count(distinct key) from effect") == ["\(runs)"])
      #expect(try await schema.sql("select count(*) from dead_run") == ["0"])
      let most = try await schema.sql("select max(running), max(of_group) from started")
      #expect(most == ["5,2"])
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
