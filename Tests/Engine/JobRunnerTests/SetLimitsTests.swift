import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests limits and pauses that an operator sets while workers run.
@Suite(.timeLimit(.minutes(5))) struct SetLimitsTests {
  private static let meter = MeterJob.registered

  private func ask(_ meter: Meter, _ tenant: String, _ runs: Int) async throws {
    try await meter.ask(
      """
      select enqueue('meter', '\(tenant)' || n, '{"tenant": "\(tenant)"}')
      from generate_series(1, \(runs)) n
      """)
  }

  /// Claims this number of runs like runs of a job without limits.
  private func claimBeforeLimits(_ meter: Meter, _ count: Int) async throws -> [ClaimedRun] {
    try await meter.test.sql("update run set group_key = null where job = 'meter'")
    try await meter.test.sql("delete from job_limit where job = 'meter'")
    let plain = try await meter.session.atomically(
      QueueCalls.claim(Self.meter.definition, limit: count, token: UUID(), worker: UUID()))
    #expect(plain.count == count)
    return plain
  }

  @Test func `a set limit applies after a registration, until it is reset`() async throws {
    try await Meter.with { meter in
      let queue = Queue(meter.session)
      for tenant in ["a", "b", "c", "d"] { try await ask(meter, tenant, 4) }
      #expect(try await queue.setLimits(of: "meter", .set(3), perGroup: .set(1)))
      try await queue.define([Self.meter])
      let first = try await meter.claim(Self.meter)
      #expect(Set(first.map(\.first)).count == 3 && first.count == 3)
      #expect(try await meter.claim(Self.meter) == [])
      #expect(
        try await queue.setLimits() == [
          SetLimits(
            job: "meter", group: nil, concurrency: 3, declaredConcurrency: 5, groupConcurrency: 1,
            declaredGroupConcurrency: 2, pausedSince: nil)
        ])
      #expect(try await queue.setLimits(of: "meter", .reset, perGroup: .reset))
      #expect(
        try await meter.test.sql(
          "select concurrency, group_concurrency from job_limit where job = 'meter'")
          == ["5,2"])
      #expect(try await meter.claim(Self.meter).count == 2)
      #expect(try await queue.setLimits() == [])
      // Setting a value that is already set is no action.
      #expect(try await queue.setLimits(of: "meter", .reset, perGroup: .keep))
      #expect(
        try await meter.test.sql("select action, before, after from audit order by number") == [
          #""limits set",{},"{""concurrency"": 3, ""group_concurrency"": 1}""#,
          #""limits set","{""concurrency"": 3, ""group_concurrency"": 1}",{}"#,
        ])
    }
  }

  @Test func `a job without limits gets one, and loses it again`() async throws {
    try await NoteQueue.with { queue in
      let limits = "select concurrency from job_limit where job = 'note'"
      #expect(try await queue.queue.setLimits(of: "note", .set(2), perGroup: .keep))
      try await queue.queue.define([queue.job])
      #expect(try await queue.test.sql(limits) == ["2"])
      await #expect(throws: NoGroups(job: "note")) {
        try await queue.queue.setLimits(of: "note", .keep, perGroup: .set(1))
      }
      await #expect(throws: NoGroups(job: "note")) {
        try await queue.queue.setPaused(true, group: "a", job: "note")
      }
      #expect(try await queue.queue.setLimits(of: "nothing", .set(2), perGroup: .keep) == false)
      #expect(try await queue.queue.setLimits(of: "note", .reset, perGroup: .reset))
      #expect(try await queue.test.sql(limits) == [])
    }
  }

  /// Otherwise, all runs of the job would be in one group, and would be executed one at a time.
  @Test func `a set limit for each group does not apply to a job without groups`() async throws {
    try await Meter.with { meter in
      let queue = Queue(meter.session)
      #expect(try await queue.setLimits(of: "meter", .keep, perGroup: .set(1)))
      // The release that removes the groups has registered the job.
      try await meter.test.sql(
        """
        update job_limit set group_concurrency = null, group_field = null, group_separator = null,
          group_part = null, declared_group_concurrency = null
        where job = 'meter'
        """)
      #expect(try await queue.setLimits(of: "meter", .set(20), perGroup: .keep))
      #expect(
        try await meter.test.sql(
          "select concurrency, group_concurrency is null from job_limit where job = 'meter'")
          == ["20,t"])
    }
  }

  @Test func `a new limit counts the runs that are already running`() async throws {
    try await Meter.with { meter in
      let queue = Queue(meter.session)
      try await ask(meter, "a", 5)
      let plain = try await claimBeforeLimits(meter, 3)
      #expect(try await queue.setLimits(of: "meter", .set(2), perGroup: .keep))
      #expect(try await !meter.isDue(Self.meter))
      #expect(try await meter.claim(Self.meter) == [])
      for run in plain.prefix(2) { try await meter.end(run.key) }
      #expect(try await meter.claim(Self.meter).count == 1)
      #expect(try await meter.claim(Self.meter) == [])
    }
  }

  /// The worker has polled before an operator set the limit.
  @Test func `a set limit also stops claims of a job with several priorities until the next poll`()
    async throws
  {
    try await NoteQueue.with { queue in
      let session = Session(queue.connection, in: queue.test.schema)
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      #expect(try await queue.queue.setLimits(of: "note", .set(1), perGroup: .keep))
      let claimer = Claimer(of: queue.job.definition, from: QueueFront())
      var claimed: [Int] = []
      for order in [ClaimOrder.priority, .limit, .limit] {
        claimer.order = order
        let runs = try await claimer.claim(
          queue.job.definition, limit: 10, token: UUID(), worker: UUID(), on: session,
          while: { true })
        claimed.append(runs.count)
      }
      #expect(claimed == [0, 1, 0])
    }
  }

  /// The worker has polled before a release added the limit for each group.
  @Test func `a new limit for each group stops claims of the old order until the next poll`()
    async throws
  {
    try await Meter.with { meter in
      try await meter.ask(
        "select enqueue(name, 'a/1') from unnest('{meter,group-rated}'::text[]) name")
      for job in [MeterJob.registered.definition, GroupRatedJob.registered.definition] {
        let claimer = Claimer(of: job, from: QueueFront())
        var claimed: [Int] = []
        for order in [ClaimOrder.limit, .group] {
          claimer.order = order
          let runs = try await claimer.claim(
            job, limit: 1, token: UUID(), worker: UUID(), on: meter.session, while: { true })
          claimed.append(runs.count)
        }
        #expect(claimed == [0, 1])
      }
    }
  }

  /// Such a run keeps the highest possible claim number, which must not become the first number
  /// from which the worker counts.
  @Test func `a limit that is set again counts the claims after it, too`() async throws {
    try await NoteQueue.with { queue in
      let (job, session) = (
        queue.job.definition, Session(queue.connection, in: queue.test.schema)
      )
      try await queue.write("a", "b", "c", "d", "e")
      _ = try await queue.queue.foldAtOnce()
      // The runs have the group of an earlier limit, and the first run is claimed without a limit.
      try await queue.test.sql("update run set group_key = ''")
      let plain = try await session.atomically(
        QueueCalls.claim(job, limit: 1, token: UUID(), worker: UUID()))
      #expect(plain.count == 1)
      #expect(try await queue.queue.setLimits(of: "note", .set(2), perGroup: .keep))
      let claimer = Claimer(of: job, from: QueueFront())
      claimer.order = .limit
      var claimed: [Int] = []
      for _ in 1...3 {
        let runs = try await claimer.claim(
          job, limit: 1, token: UUID(), worker: UUID(), on: session, while: { true })
        claimed.append(runs.count)
      }
      #expect(claimed == [1, 0, 0])
    }
  }

  @Test func `runs that were dispatched before the first limit count in their groups`()
    async throws
  {
    try await Meter.with { meter in
      let job = Self.meter.definition
      try await ask(meter, "a", 3)
      try await ask(meter, "b", 1)
      try await meter.test.sql("update run set group_key = null where job = 'meter'")
      #expect(try await meter.claim(Self.meter) == ["a1", "a2", "b1"])
      let groups = "select key, group_key, is_held from run where job = 'meter' order by key"
      #expect(try await meter.test.sql(groups) == ["a1,a,f", "a2,a,f", "a3,a,t", "b1,b,f"])
      // The same holds for quarantined runs.
      try await meter.test.sql(
        "update run set group_key = null, is_held = false, batch_limit = 10 where key = 'a3'")
      let claim = { @Sendable (_: Int, _: QueueFront.Marks) in
        QueueCalls.claimQuarantined(job, limit: 10, token: UUID(), worker: UUID())
      }
      #expect(try await meter.session.claimInTurn(job, limit: 10, claim).isEmpty)
      try await meter.end("a1")
      #expect(try await meter.session.claimInTurn(job, limit: 10, claim).map(\.key) == ["a3"])
      #expect(try await meter.test.sql(groups) == ["a2,a,f", "a3,a,f", "b1,b,f"])
    }
  }

  @Test func `a call without a payload leaves a run in the group of its payload`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "a", 1)
      try await meter.test.sql("update run set group_key = null where job = 'meter'")
      try await meter.ask("select enqueue('meter', 'a1')")
      #expect(try await meter.test.sql("select group_key from run") == ["a"])
    }
  }

  /// The next release may declare groups, and the run then gets its group when it is claimed.
  @Test func `a waiting run of a job without groups has no group`() async throws {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('rated', 'x')")
      #expect(try await meter.test.sql("select group_key is null from run") == ["t"])
      #expect(try await meter.claim(RatedJob.registered) == ["x"])
      #expect(try await meter.test.sql("select group_key = '' from run") == ["t"])
    }
  }

  @Test func `a declared limit counts the runs that are already running`() async throws {
    try await Meter.with { meter in
      try await ask(meter, "a", 5)
      _ = try await claimBeforeLimits(meter, 2)
      // The release declares at most two concurrent runs of each tenant.
      try await Queue(meter.session).define([Self.meter])
      #expect(
        try await meter.test.sql("select distinct group_key from run where worker is not null") == [
          "a"
        ])
    }
  }

  /// The worker has started after an operator set the limit, and no poll has listed the job yet.
  @Test func `a set limit applies to runs that are claimed apart`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      #expect(try await queue.queue.setLimits(of: "note", .set(1), perGroup: .keep))
      try await queue.test.sql("update run set batch_limit = 10")
      let session = Session(queue.connection, in: queue.test.schema)
      let claimer = Claimer(of: queue.job.definition, from: QueueFront())
      var claimed: [Int] = []
      for _ in 1...2 {
        let runs = try await claimer.claimApart(queue.job.definition, limit: 10, on: session) {
          limit, _ in
          QueueCalls.claimQuarantined(
            queue.job.definition, limit: limit, token: UUID(), worker: UUID())
        }
        claimed.append(runs.count)
      }
      #expect(claimed == [1, 0])
    }
  }

  @Test func `a paused group of a job without groups can be resumed`() async throws {
    try await Meter.with { meter in
      let queue = Queue(meter.session)
      #expect(try await queue.setLimit(of: "a", in: "meter", .set(1)))
      #expect(try await queue.setPaused(true, group: "a", job: "meter"))
      // The release that removes the groups has registered the job.
      try await meter.test.sql(
        """
        update job_limit set group_concurrency = null, group_field = null, group_separator = null,
          group_part = null, declared_group_concurrency = null
        where job = 'meter'
        """)
      await #expect(throws: NoGroups(job: "meter")) {
        try await queue.setLimit(of: "a", in: "meter", .set(2))
      }
      await #expect(throws: NoGroups(job: "meter")) {
        try await queue.setPaused(true, group: "b", job: "meter")
      }
      #expect(try await queue.setPaused(false, group: "a", job: "meter"))
      #expect(try await queue.setLimits(of: "meter").map(\.concurrency) == [1])
      #expect(try await queue.setLimit(of: "a", in: "meter", .reset))
      #expect(try await queue.setLimits(of: "meter") == [])
    }
  }

  @Test func `a paused group starts no run, and the others go on`() async throws {
    try await Meter.with { meter in
      let queue = Queue(meter.session)
      try await ask(meter, "a", 3)
      #expect(try await queue.setPaused(true, group: "a", job: "meter"))
      try await queue.define([Self.meter])
      #expect(try await meter.claim(Self.meter) == [])
      try await ask(meter, "b", 1)
      #expect(try await meter.claim(Self.meter) == ["b1"])
      #expect(try await queue.setLimits(of: "meter").map(\.group) == ["a"])
      #expect(try await queue.setPaused(false, group: "a", job: "meter"))
      #expect(try await meter.claim(Self.meter).sorted() == ["a1", "a2"])
      #expect(try await queue.setLimits() == [])
      #expect(
        try await meter.test.sql("select action, subject ->> 'group' from audit order by number")
          == ["\"jobs pause\",a", "\"jobs resume\",a"])
    }
  }

  @Test func `one group has a limit of its own, also over a pause`() async throws {
    try await Meter.with { meter in
      let queue = Queue(meter.session)
      for tenant in ["a", "b", "c"] { try await ask(meter, tenant, 4) }
      #expect(try await queue.setLimit(of: "a", in: "meter", .set(1)))
      #expect(try await queue.setPaused(true, group: "a", job: "meter"))
      #expect(try await queue.setPaused(false, group: "a", job: "meter"))
      #expect(try await queue.setLimit(of: "b", in: "meter", .set(3)))
      var keys: [String] = []
      for _ in 1...3 { keys += try await meter.claim(Self.meter) }
      #expect(keys.count == 5)
      let groups = Dictionary(grouping: keys) { $0.first }.mapValues(\.count)
      #expect(groups["a"] == 1 && (groups["b"] ?? 0) <= 3 && (groups["c"] ?? 0) <= 2)
      try await meter.test.sql("update job_limit set concurrency = 50 where job = 'meter'")
      for _ in 1...3 { keys += try await meter.claim(Self.meter) }
      #expect(
        Dictionary(grouping: keys) { $0.first }.mapValues(\.count) == ["a": 1, "b": 3, "c": 2])
      #expect(try await queue.setLimit(of: "a", in: "meter", .reset))
      #expect(try await meter.claim(Self.meter).map(\.first) == ["a"])
    }
  }

  @Test func `a group with a rate is paused too, and a run by hand waits`() async throws {
    try await Meter.with { meter in
      let queue = Queue(meter.session)
      let rated = GroupRatedJob.registered
      try await meter.ask(
        "select enqueue('group-rated', k) from unnest('{a/1,a/2,b/1}'::text[]) k")
      #expect(try await queue.setPaused(true, group: "a", job: "group-rated"))
      #expect(try await meter.claim(rated) == ["b/1"])
      #expect(try await meter.claim(rated) == [])
      #expect(
        try await meter.test.sql("select is_group_full('group-rated', 'a')") == ["t"])
      #expect(try await queue.setPaused(false, group: "a", job: "group-rated"))
      #expect(try await meter.claim(rated).sorted() == ["a/1", "a/2"])
    }
  }
}
