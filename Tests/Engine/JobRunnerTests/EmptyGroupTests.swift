import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the empty group, which a claim stores while only the whole job has a limit.
@Suite struct EmptyGroupTests {
  private static let meter = MeterJob.registered

  /// The statements that return running runs to the queue.
  enum Return: CaseIterable {
    case release, releaseUnknown, reclaim
  }

  /// Claims runs of three tenants while only the whole job has a limit.
  private func claimBeforeGroups(_ meter: Meter, token: UUID, worker: UUID) async throws -> Claim {
    try await meter.ask(
      """
      select enqueue('meter', t, jsonb_build_object('tenant', t)) from unnest('{a,b,c}'::text[]) t
      """)
    try await meter.test.sql("update run set group_key = null where job = 'meter'")
    try await meter.test.sql(
      """
      update job_limit
      set group_concurrency = null, group_field = null, declared_group_concurrency = null
      where job = 'meter'
      """)
    let claimer = Claimer(of: Self.meter.definition, from: QueueFront())
    claimer.order = .limit
    let runs = try await claimer.claim(
      Self.meter.definition, limit: 3, token: token, worker: worker, on: meter.session,
      while: { true })
    #expect(runs.count == 3)
    #expect(
      try await meter.test.sql("select distinct group_key = '' from run where job = 'meter'")
        == ["t"])
    return Claim(job: Self.meter, token: token, runs: runs)
  }

  @Test(arguments: Return.allCases)
  func `a returned run gets its group if a release has added groups`(by way: Return) async throws {
    try await Meter.with { meter in
      let worker = UUID()
      let claim = try await claimBeforeGroups(meter, token: UUID(), worker: worker)
      switch way {
      case .release:
        _ = try await meter.session.atomically(
          QueueCalls.release(claim, attemptsOff: 1, wait: .zero, batchLimit: nil, error: nil))
      case .releaseUnknown:
        _ = try await meter.session.atomically(
          .count(SQL.Queue.releaseUnknown, worker, [claim.token]))
      case .reclaim:
        // The worker is not registered.
        _ = try await Queue(meter.session).reclaim()
      }
      let runs = "from run where job = 'meter'"
      #expect(
        try await meter.test.sql("select state, group_key is null, count(*) \(runs) group by 1, 2")
          == ["ready,t,3"])
      try await Queue(meter.session).define([Self.meter])
      try await meter.test.sql("update run set due = now(), batch_limit = 0 where job = 'meter'")
      #expect(try await meter.claim(Self.meter).count == 3)
      #expect(
        try await meter.test.sql("select group_key \(runs) order by 1") == ["a", "b", "c"])
    }
  }

  @Test func `running runs get their groups when a release adds groups`() async throws {
    try await Meter.with { meter in
      _ = try await claimBeforeGroups(meter, token: UUID(), worker: UUID())
      try await Queue(meter.session).define([Self.meter])
      #expect(
        try await meter.test.sql("select group_key from run where job = 'meter' order by 1")
          == ["a", "b", "c"])
    }
  }

  @Test func `a retried run of a job without groups has no group`() async throws {
    try await Meter.with { meter in
      try await meter.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, payload_event, newest_event)
        values (1000000000, 'rated', 'k', 1, 'x', 1000000000, 1000000000)
        """)
      _ = try await meter.session.atomically(.count(SQL.Runs.retry, [1_000_000_000 as Int64]))
      #expect(try await meter.test.sql("select group_key is null from run") == ["t"])
    }
  }

  /// The returned run has the newer payload, which names no tenant.
  @Test func `a returned run of the empty group keeps its group after a merge`() async throws {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('meter', 'k', '{}')")
      let (job, token) = (Self.meter.definition, UUID())
      // The limit for each group is added after the claim.
      try await meter.test.sql("update job_limit set group_concurrency = null where job = 'meter'")
      let runs = try await meter.session.claimInTurn(job, limit: 1) { limit, marks in
        QueueCalls.claimByPriority(
          job, limit: limit, token: token, worker: UUID(), isByAge: false, isInTurn: true,
          from: marks)
      }
      #expect(runs.count == 1)
      try await meter.test.sql("update job_limit set group_concurrency = 2 where job = 'meter'")
      try await meter.ask("select enqueue('meter', 'k', '{\"tenant\": \"a\"}')")
      try await meter.test.sql("update run set payload_event = 0 where state = 'ready'")
      let claim = Claim(job: Self.meter, token: token, runs: runs)
      _ = try await meter.session.atomically(
        QueueCalls.release(claim, attemptsOff: 1, wait: .zero, batchLimit: nil, error: nil))
      try await meter.test.sql("update run set due = now()")
      #expect(try await meter.claim(Self.meter) == ["k"])
      #expect(try await meter.test.sql("select payload, group_key = '' from run") == ["{},t"])
    }
  }
}
