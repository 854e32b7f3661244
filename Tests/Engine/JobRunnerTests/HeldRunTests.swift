import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests which runs a dispatch and a claim hold, and how many runs of a group a claim of
/// quarantined runs returns.
@Suite struct HeldRunTests {
  private static let region = RegionJob.registered

  private static let held = "select count(*) from run where is_held"

  /// While a held run is not due, each claim would visit its group.
  @Test func `a call that moves a held run to a later time releases the run`() async throws {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('region', 'eu/' || n) from generate_series(1, 150) n")
      #expect(try await meter.test.sql(Self.held) == ["150"])
      try await meter.ask(
        "select enqueue('region', 'eu/1', run_at => now() + interval '1 day', replace => true)")
      try await meter.ask("select enqueue('region', 'eu/2', run_at => now() + interval '1 day')")
      try await meter.ask("select enqueue('region', 'eu/3')")
      #expect(
        try await meter.test.sql("select key, due > now() from run where not is_held")
          == ["eu/1,t"])
      #expect(try await meter.claim(Self.region, 1).count == 1)
    }
  }

  @Test func `of the new runs of a group, a dispatch holds only the due runs`() async throws {
    try await Meter.with { meter in
      try await meter.ask("select enqueue('region', 'eu/' || n) from generate_series(1, 150) n")
      try await meter.ask("select enqueue('region', 'eu/later', run_at => now() + interval '1 h')")
      try await meter.ask("select enqueue('region', 'eu/now')")
      #expect(
        try await meter.test.sql("select key, is_held from run where key ~ '[a-z]$' order by key")
          == ["eu/later,f", "eu/now,t"])
      // A claim holds a run of a full group only after the run is due.
      #expect(try await meter.claim(Self.region, 1).count == 1)
      #expect(try await meter.claim(Self.region) == [])
      #expect(try await meter.test.sql(Self.held) == ["150"])
      try await meter.test.sql("update run set due = now() where key = 'eu/later'")
      #expect(try await meter.claim(Self.region) == [])
      #expect(try await meter.test.sql(Self.held) == ["151"])
    }
  }

  @Test func `runs whose keys are running do not hide runs that are held`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        """
        select enqueue('meter', g || n, jsonb_build_object('tenant', g))
        from unnest(array['a', 'b']) g, generate_series(1, 3) n
        """)
      try await meter.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key, attempt,
          token, worker, claim_number)
        select job, key, 'running', due, first_event_at, last_event_at, group_key, 1,
          gen_random_uuid(), gen_random_uuid(), 1
        from run where key like 'a%'
        """)
      let marks = QueueFront.Marks()
      let job = MeterJob.definition.job
      #expect(try await meter.session.atomically(QueueCalls.holdFullGroups(job, from: marks)) == 1)
      #expect(try await meter.test.sql("select group_key from run where is_held") == ["b"])
    }
  }

  @Test func `a claim leaves at the front as many runs of a group as may start`() async throws {
    try await Meter.with { meter in
      try await meter.ask(
        """
        select enqueue('meter', g || n, jsonb_build_object('tenant', g))
        from unnest(array['a', 'b']) g, generate_series(1, 3) n
        """)
      let marks = QueueFront.Marks()
      let job = MeterJob.definition.job
      #expect(try await meter.session.atomically(QueueCalls.holdFullGroups(job, from: marks)) == 2)
      #expect(try await meter.session.atomically(QueueCalls.holdFullGroups(job, from: marks)) == 0)
      let front = "select group_key, count(*) from run where not is_held group by 1 order by 1"
      #expect(try await meter.test.sql(front) == ["a,2", "b,2"])
    }
  }

  /// The batch limit -3 marks runs that release 1 could not decode.
  @Test(arguments: [12, -3])
  func `a claim of quarantined or left runs takes several groups within limits`(batchLimit: Int)
    async throws
  {
    try await Meter.with { meter in
      try await meter.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key, batch_limit)
        select 'region', format('g%s/%s', g, n), 'ready', now() - interval '1 h' + n * interval '1 s',
          now(), now(), 'g' || g, \(batchLimit)
        from generate_series(1, 5) g, generate_series(1, 3) n
        """)
      let job = Self.region.definition
      func claim(_ limit: Int) async throws -> [String] {
        let runs = try await meter.session.claimInTurn(job, limit: limit) { limit, _ in
          batchLimit > 0
            ? QueueCalls.claimQuarantined(job, limit: limit, token: UUID(), worker: UUID())
            : QueueCalls.claimLeft(job, limit: limit, token: UUID(), worker: UUID(), for: nil)
        }
        return runs.map(\.key).sorted()
      }
      #expect(try await claim(10) == ["g1/1", "g2/1", "g3/1", "g4/1", "g5/1"])
      #expect(try await claim(10) == [])
      try await meter.end("g2/1", "g4/1")
      #expect(try await claim(1).count == 1)
      #expect(try await claim(10).count == 1)
      #expect(
        try await meter.test.sql("select key from run where state = 'running' order by key")
          == ["g1/1", "g2/2", "g3/1", "g4/2", "g5/1"])
    }
  }
}
