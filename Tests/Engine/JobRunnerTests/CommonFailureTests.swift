import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// A reason for which every run of a job fails, tested with real workers.
@Suite struct CommonFailureTests {
  /// Returns the largest number of probes in the time since an instant.
  ///
  /// The pauses between probes are about 1 s, 2 s, 4 s and so on, up to 15 s. On a busy machine, a
  /// step of a test can last longer than several pauses.
  private func mostProbes(since began: ContinuousClock.Instant) -> Int {
    var left = began.duration(to: .now)
    var (probes, pause) = (0, Duration.milliseconds(700))
    while left >= pause {
      left -= pause
      probes += 1
      pause = min(pause * 2, .milliseconds(10_500))
    }
    return probes
  }

  @Test(.sampled())
  func `a missing table costs a few transactions, no attempts and no splits`() async throws {
    try await ShelfQueue.with { queue in
      let (calls, log) = (Shelf.Calls(), LogLines())
      try await queue.fill(runs: 20_000)
      let began = ContinuousClock.now
      try await queue.withWorker(ShelfJob.registered(calls), log: log.logger) {
        let failure = try await queue.waitForCommonFailure()
        #expect(failure.reason == "SQLSTATE 42P01" && failure.workers == 1)
        let before = calls.count
        #expect(
          before <= 3 + mostProbes(since: began),
          "both executors have a batch in hand, and the first probe: \(before)")
        let seen = ContinuousClock.now
        try await Task.sleep(for: .seconds(4))
        // The probes execute one run each, after 1 s, 2 s and 4 s.
        try await eventually("a probe") { calls.count > before }
        let probes = calls.count - before
        #expect(probes <= 2 + mostProbes(since: seen), "\(calls.sizes)")
        #expect(calls.sizes.dropFirst(2).allSatisfy { $0 == 1 }, "\(calls.sizes)")
        let touched = "run where state = 'ready' and (attempt > 0 or batch_limit <> 0)"
        #expect(try await queue.count(touched) == 0)
        let warnings = log.all.filter { $0.contains("every run fails alike") }
        #expect(warnings.count == 1, "\(log.all)")

        try await queue.makeTable()
        try await eventually("all are done") { try await queue.count("run") == 0 }
        #expect(try await queue.count("shelf") == 20_000)
        #expect(try await queue.count("dead_run") == 0)
        #expect(calls.attempts == 1)
        try await eventually("the reason is gone") { try await queue.commonFailure() == nil }
        #expect(log.all.contains { $0.hasPrefix("works again after") }, "\(log.all)")
      }
    }
  }

  @Test(.sampled()) func `an unknown reason is common after three batches`() async throws {
    try await ShelfQueue.with { queue in
      let calls = Shelf.Calls()
      calls.setBroken(true)
      try await queue.makeTable()
      try await queue.fill(runs: 5_000)
      let began = ContinuousClock.now
      try await queue.withWorker(ShelfJob.registered(calls)) {
        #expect(try await queue.waitForCommonFailure().reason == "Broken")
        // There are three batches with one run each, and the runs that the other executor had
        // already claimed.
        let count = calls.count
        #expect(count <= max(12, 10 + mostProbes(since: began)), "\(calls.sizes)")
        let limited = try await queue.count("run where batch_limit <> 0")
        #expect(limited <= 400, "\(limited) runs of batches that failed before the third one")
        calls.setBroken(false)
        try await eventually("all are done") { try await queue.count("run") == 0 }
        #expect(try await queue.count("dead_run") == 0)
      }
    }
  }

  @Test(.sampled()) func `two poison runs do not delay other runs`() async throws {
    try await ShelfQueue.with { queue in
      let (calls, log) = (Shelf.Calls(), LogLines())
      try await queue.makeTable()
      try await queue.fill(runs: 20_000)
      try await queue.test.sql(
        "update run set key = 'poison' || key where key in ('4711', '15001')")
      try await queue.withWorker(ShelfJob.registered(calls), log: log.logger) {
        try await eventually("all others are done") { try await queue.count("shelf") == 19_998 }
        try await eventually("both are dead") { try await queue.count("dead_run") == 2 }
      }
      // A control without poison runs takes 200 transactions. Each poison run is found after one
      // single attempt and seven halvings. The other half is then processed each time. The poison
      // run also uses its three attempts.
      #expect((200...240).contains(calls.count), "\(calls.count) transactions")
      #expect(!log.all.contains { $0.contains("fails alike") }, "\(log.all)")
    }
  }

  @Test(.sampled())
  func `a run never dies of a poison run with which it shared a batch of two`() async throws {
    try await ShelfQueue.with { queue in
      let calls = Shelf.Calls()
      try await queue.makeTable()
      try await queue.withWorker(ShelfJob.registered(calls)) {
        for pair in 1...6 {
          // The poison run is due first, so it is the run that is tried alone.
          try await queue.test.sql(
            """
            insert into run (job, key, state, due, first_event_at, last_event_at)
            values ('shelf', 'poison\(pair)', 'ready', now() - interval '1 s', now(), now()),
              ('shelf', 'good\(pair)', 'ready', now(), now(), now())
            """)
          try await eventually("the pair ends") { try await queue.count("run") == 0 }
        }
      }
      #expect(calls.sizes.contains(2), "no batch of two failed")
      #expect(try await queue.count("dead_run where key like 'good%'") == 0)
      #expect(try await queue.count("failed_attempt where key like 'good%'") == 0)
      #expect(try await queue.count("shelf") == 6)
    }
  }

  @Test(.sampled()) func `a few poison runs die as their retry says`() async throws {
    try await ShelfQueue.with { queue in
      try await queue.makeTable()
      try await queue.fill(runs: 5, prefix: "poison")
      try await queue.withWorker(ShelfJob.registered(Shelf.Calls())) {
        try await eventually("they are dead", within: .seconds(60)) {
          try await queue.count("dead_run") == 5
        }
      }
      #expect(try await queue.count("dead_run where attempt = 3") == 5)
    }
  }

  @Test(.sampled()) func `a missing table of one run alone does not stop the job for long`()
    async throws
  {
    try await ShelfQueue.with { queue in
      try await queue.makeTable()
      try await queue.fill(runs: 1_000)
      try await queue.test.sql("update run set key = 'tenant' || key where key = '50'")
      try await queue.withWorker(ShelfJob.registered(Shelf.Calls())) {
        // One success ends the state. After that, the reason must be confirmed like any other
        // reason.
        try await eventually("the others are done") { try await queue.count("shelf") == 999 }
        try await eventually("the run is dead") { try await queue.count("dead_run") == 1 }
      }
    }
  }

  @Test(.sampled()) func `a broken worker does not stop another one`() async throws {
    try await ShelfQueue.with { queue in
      let (broken, healthy) = (Shelf.Calls(), Shelf.Calls())
      broken.setBroken(true)
      try await queue.makeTable()
      try await queue.fill(runs: 1_000)
      try await queue.withWorker(ShelfJob.registered(broken)) {
        #expect(try await queue.waitForCommonFailure().workers == 1)
        let (before, seen) = (broken.count, ContinuousClock.now)
        try await queue.fill(runs: 5_000, prefix: "more ")
        try await queue.withWorker(ShelfJob.registered(healthy)) {
          try await eventually("all are done") { try await queue.count("run") == 0 }
        }
        let probes = broken.count - before
        #expect(probes <= max(6, 2 + mostProbes(since: seen)), "\(broken.sizes)")
      }
      #expect(try await queue.count("shelf") == 6_000)
      #expect(try await queue.count("dead_run") == 0)
    }
  }

  @Test(.sampled()) func `an effect with many permits is probed by one run at a time`()
    async throws
  {
    try await ShelfQueue.with { queue in
      let (calls, log) = (Shelf.Calls(), LogLines())
      calls.setBroken(true)
      try await queue.fill("shelf-effect", runs: 2_000)
      let began = ContinuousClock.now
      try await queue.withWorker(ShelfEffect.registered(calls), log: log.logger) {
        #expect(try await queue.waitForCommonFailure(of: "shelf-effect").reason == "Broken")
        // All permits were in use when the third effect failed.
        let (before, seen) = (calls.count, ContinuousClock.now)
        #expect(before <= max(60, 58 + mostProbes(since: began)), "\(before)")
        try await Task.sleep(for: .seconds(3))
        try await eventually("a probe") { calls.count > before }
        let probes = calls.count - before
        #expect(probes <= 2 + mostProbes(since: seen))
        // Only the two effects that failed before the third effect have used an attempt.
        #expect(try await queue.count("run where state = 'ready' and attempt > 0") <= 2)
        #expect(log.all.count { $0.contains("fails alike") } == 1, "\(log.all)")
        calls.setBroken(false)
        try await eventually("all are done") { try await queue.count("run") == 0 }
        #expect(calls.attempts <= 2)
      }
    }
  }

  @Test(.sampled())
  func `a worker that starts finds the reason again, and its end removes what it stored`()
    async throws
  {
    try await ShelfQueue.with { queue in
      try await queue.fill(runs: 2_000)
      for _ in 1...3 {
        let (calls, began) = (Shelf.Calls(), ContinuousClock.now)
        try await queue.withWorker(ShelfJob.registered(calls)) {
          _ = try await queue.waitForCommonFailure()
          let count = calls.count
          #expect(count <= max(4, 3 + mostProbes(since: began)), "\(calls.sizes)")
        }
        #expect(try await queue.commonFailure() == nil)
      }
      #expect(try await queue.count("run where attempt = 0 and batch_limit = 0") == 2_000)
    }
  }

  @Test(.sampled()) func `worker --until-idle does not wait for a job that fails alike`()
    async throws
  {
    try await ShelfQueue.with { queue in
      try await queue.fill(runs: 2_000)
      let worker = Worker(
        [ShelfJob.registered(Shelf.Calls())], on: queue.test.configuration,
        schema: queue.test.schema, logger: .quiet)
      #expect(try await worker.runUntilIdle() == 0)
      #expect(try await queue.count("run where state = 'ready'") == 2_000)
    }
  }
}
