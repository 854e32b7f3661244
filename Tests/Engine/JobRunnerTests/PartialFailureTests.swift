import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Jobs of which only some runs fail for the same reason, tested with real workers.
@Suite struct PartialFailureTests {
  @Test(.sampled()) func `a tenth of effects that fail does not stop the others`() async throws {
    try await ShelfQueue.with { queue in
      let log = LogLines()
      // An UPDATE of the keys would make a claim return all failing runs after the others.
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        select 'shelf-effect', case when n % 10 = 7 then 'flaky' else '' end || n, 'ready',
          now() - interval '1 h' + n * interval '1 ms', now(), now()
        from generate_series(1, 5000) n
        """)
      try await queue.withWorker(ShelfEffect.registered(Shelf.Calls()), log: log.logger) {
        try await eventually("all are done") { try await queue.count("run") == 0 }
      }
      #expect(!log.all.contains { $0.contains("fails alike") }, "\(log.all.suffix(3))")
    }
  }

  /// With one probe for each poison run, the other runs would wait for more than twenty minutes.
  ///
  /// The block is longer than the batches and effects that fail before the first probe. So the job
  /// stops again after the first probe that succeeds.
  @Test(.sampled(), arguments: ["shelf", "shelf-effect"])
  func `runs after a block of poison runs wait for a few probes`(job: String) async throws {
    try await ShelfQueue.with { queue in
      let calls = Shelf.Calls()
      try await queue.makeTable()
      try await queue.fill(job, runs: 1_000)
      try await queue.test.sql("update run set key = 'poison' || key where key::integer <= 400")
      let registered = job == "shelf" ? ShelfJob.registered(calls) : ShelfEffect.registered(calls)
      try await queue.withWorker(registered) {
        try await eventually("the others are done", within: .seconds(100)) {
          try await queue.count("run where key not like 'poison%'") == 0
        }
      }
    }
  }

  /// Returns the keys of the runs that a number of probes claim, with the same runs due each time.
  private func probed(_ probes: Int, of queue: ShelfQueue, by claimer: Claimer) async throws
    -> [Int]
  {
    let job = ShelfJob.registered(Shelf.Calls()).definition
    let connection = try await queue.test.connect()
    var keys: [Int] = []
    for _ in 1...probes {
      let runs = try await claimer.claimProbe(
        job, token: UUID(), worker: UUID(), on: Session(connection, in: queue.test.schema))
      keys += runs.compactMap { Int($0.key) }
      try await queue.test.sql(
        """
        update run set state = 'ready', attempt = 0, token = null, worker = null,
          claim_number = default
        where state = 'running'
        """)
    }
    await connection.close()
    return keys
  }

  @Test func `a probe of a job with priorities does not choose the most urgent run`() async throws {
    try await ShelfQueue.with { queue in
      try await queue.fill(runs: 20)
      try await queue.test.sql("update job set priorities = '{1,5}' where name = 'shelf'")
      try await queue.test.sql("update run set priority = 1, due = now() where key = '20'")
      let claimer = Claimer(of: ShelfJob.registered(Shelf.Calls()).definition, from: QueueFront())
      claimer.order = .priority
      let keys = try await probed(30, of: queue, by: claimer)
      #expect(keys.count == 30 && keys.count(where: { $0 == 20 }) < 10, "\(keys)")
    }
  }

  /// The new runs of a long queue of failing runs may succeed.
  @Test func `probes claim some of the newest runs of a long queue`() async throws {
    try await ShelfQueue.with { queue in
      try await queue.fill(runs: 70_000)
      let claimer = Claimer(of: ShelfJob.registered(Shelf.Calls()).definition, from: QueueFront())
      let keys = try await probed(30, of: queue, by: claimer)
      #expect(keys.contains { $0 > 66_000 } && keys.contains { $0 < 35_000 }, "\(keys)")
    }
  }

  /// A worker that stops a job while it splits batches leaves most runs with a batch limit.
  @Test func `probes claim runs of split batches, but no run that must be alone`() async throws {
    try await ShelfQueue.with { queue in
      try await queue.fill(runs: 40)
      try await queue.test.sql("update run set batch_limit = 5 where key::integer > 10")
      try await queue.test.sql("update run set batch_limit = -1 where key::integer > 30")
      let claimer = Claimer(of: ShelfJob.registered(Shelf.Calls()).definition, from: QueueFront())
      let keys = try await probed(30, of: queue, by: claimer)
      #expect(keys.count == 30 && keys.allSatisfy { $0 <= 30 }, "\(keys)")
      #expect(keys.contains { $0 > 10 } && keys.contains { $0 <= 10 }, "\(keys)")
    }
  }

  @Test func `a probe respects the limits of groups`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue('region', k) from unnest(array['eu/1', 'eu/2', 'us/1']) k")
      let job = RegionJob.registered.definition
      #expect(try await meter.claim(RegionJob.registered, 1) == ["eu/1"])
      let claimer = Claimer(of: job, from: QueueFront())
      func probe() async throws -> [String] {
        try await claimer.claimProbe(job, token: UUID(), worker: UUID(), on: meter.session)
          .map(\.key)
      }
      #expect(try await probe() == ["us/1"])
      #expect(try await probe() == [])
      try await meter.end("eu/1")
      #expect(try await probe() == ["eu/2"])
    }
  }

  @Test(arguments: [4, 20, 1_000]) func `probes claim runs all over the queue`(runs: Int)
    async throws
  {
    try await ShelfQueue.with { queue in
      try await queue.fill(runs: runs)
      let claimer = Claimer(of: ShelfJob.registered(Shelf.Calls()).definition, from: QueueFront())
      let keys = try await probed(30, of: queue, by: claimer)
      #expect(keys.count == 30 && keys.contains { $0 > runs / 2 }, "\(keys)")
      #expect(keys.contains { $0 <= runs / 2 }, "\(keys)")
    }
  }

  @Test(.sampled()) func `runs that a batch names do not stop the runs that it does not name`()
    async throws
  {
    try await ShelfQueue.with { queue in
      let log = LogLines()
      try await queue.makeTable()
      try await queue.fill(runs: 1_000)
      try await queue.test.sql("update run set key = 'named' || key where key like '%3'")
      try await queue.withWorker(ShelfJob.registered(Shelf.Calls()), log: log.logger) {
        try await eventually("all are done") { try await queue.count("shelf") == 1_000 }
      }
      #expect(!log.all.contains { $0.contains("fails alike") }, "\(log.all.suffix(3))")
    }
  }
}
