import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests what a poll and the claims of quarantined runs read beside quarantined runs that are due
/// later.
@Suite struct QuarantinePlanTests {
  /// The claims of quarantined runs: the name, the statement, its types and its values.
  private static let claims = makeClaims(firstClaim: 0)

  private static func makeClaims(firstClaim: Int) -> [(String, Statement, String, String)] {
    [
      (
        "quarantined", SQL.Queue.claimQuarantined, "text, uuid, uuid, bigint, bigint",
        "\(ids), 100, \(firstClaim)"
      ),
      ("alone", SQL.Queue.claimAlone, "text, uuid, uuid, bigint", "\(ids), \(firstClaim)"),
      (
        "left", SQL.Queue.claimLeft, "text, uuid, uuid, bigint, text, integer, bigint",
        "\(ids), 100, 'notes', 1, \(firstClaim)"
      ),
    ]
  }
  private static let ids = "'note', gen_random_uuid(), gen_random_uuid()"
  /// The batch limits of quarantined runs.
  ///
  /// The limit -3 marks runs that release 1 could not decode, and -4 runs that release 2 could not
  /// decode.
  private static let limits = [-4, -3, -1, 1, 2, 6, 12, 50]

  /// Inserts failed runs that wait for their next attempt, for each batch limit.
  private func fill(_ queue: NoteQueue, _ runs: Int) async throws {
    try await queue.test.sql("alter table run set (autovacuum_enabled = off)")
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at, batch_limit)
      select 'note', l || ' ' || n, 'ready', now() + interval '1 h', now(), now(), l
      from generate_series(1, \(runs / Self.limits.count)) n, unnest(array\(Self.limits)) l
      """)
    try await queue.test.sql("analyze run")
  }

  private func pollPages(_ queue: NoteQueue) async throws -> Int {
    try await queue.test.pages(
      of: SQL.Queue.poll,
      "text[], integer[], timestamptz[], bigint[], timestamptz, text, integer, boolean",
      "'{}', '{}', '{}', '{}', null, 'notes', 1, true")
  }

  private func pages(beside runs: Int) async throws -> [String: Int] {
    var pages: [String: Int] = [:]
    try await NoteQueue.with { queue in
      try await fill(queue, runs)
      // Runs that release 1 could not decode are due, and are left to a worker of release 2.
      try await queue.test.sql(
        """
        insert into worker (id, name, is_direct, pid, program, release, jobs)
        values (gen_random_uuid(), 'other', false, 0, 'notes', 2, '{note}')
        """)
      try await queue.test.sql("update run set due = now() where batch_limit = -3")
      pages["poll"] = try await pollPages(queue)
      for (name, claim, types, values) in Self.claims {
        pages[name] = try await queue.test.pages(of: claim, types, values)
      }
      // One run of each kind is due now.
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, batch_limit)
        select 'note', 'due' || l, 'ready', now(), now(), now(), l from unnest(array[-4, -1, 12]) l
        """)
      pages["poll of due runs"] = try await pollPages(queue)
      for (name, claim, types, values) in Self.claims {
        pages["\(name) of a due run"] = try await queue.test.pages(of: claim, types, values)
      }
      #expect(
        try await queue.test.sql("select key from run where state = 'running' order by key")
          == ["due-1", "due-4", "due12"])
    }
    return pages
  }

  /// `BATON_QUEUE_RUNS=1000000` tests the full size.
  @Test(.sampled()) func `runs that are due later are not read`() async throws {
    let many = ProcessInfo.processInfo.environment["BATON_QUEUE_RUNS"].flatMap { Int($0) } ?? 40_000
    let (few, more) = (try await pages(beside: 80), try await pages(beside: many))
    print("pages beside 80 quarantined runs: \(few); beside \(many): \(more)")
    for (statement, pages) in few {
      // If an index is one level deeper, a search reads one more page.
      #expect(more[statement, default: .max] <= pages * 2 + 30, "\(statement)")
    }
  }

  /// One of 100 waiting runs must run alone in its process.
  private func pagesOfPoll(besideMixed runs: Int) async throws -> Int {
    var pages = 0
    try await NoteQueue.with { queue in
      try await queue.test.sql("alter table run set (autovacuum_enabled = off)")
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, batch_limit)
        select 'note', n::text, 'ready', now() - interval '1 h', now(), now(), case when n % 100 = 0 then -1 else 0 end
        from generate_series(1, \(runs)) n
        """)
      try await queue.test.sql("analyze run")
      pages = try await pollPages(queue)
    }
    return pages
  }

  @Test(.sampled())
  func `a poll that finds a run that must run alone does not read the other runs`()
    async throws
  {
    let (few, more) = (
      try await pagesOfPoll(besideMixed: 200), try await pagesOfPoll(besideMixed: 40_000)
    )
    print("pages of a poll beside 200 mixed runs: \(few); beside 40,000: \(more)")
    #expect(more <= few * 2 + 30)
  }

  @Test func `a claim checks once whether a group is full, and not for each run`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into job_limit (job, group_concurrency, group_separator, group_part)
        values ('note', 1, '/', 1)
        """)
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key, token, worker)
        select 'note', 'full', 'running', t, t, t, 'full', gen_random_uuid(), gen_random_uuid()
        from now() t
        """)
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key, batch_limit)
        select 'note', 'full/' || l || ' ' || n, 'ready', now() - interval '1 s', now(), now(), 'full', l
        from generate_series(1, 1000) n, unnest(array[-3, -1, 12]) l
        """)
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, group_key, batch_limit)
        select 'note', 'free' || l, 'ready', now(), now(), now(), 'free' || l, l
        from unnest(array[-3, -1, 12]) l
        """)
      try await queue.test.sql("analyze run")
      for (name, claim, types, values) in Self.claims {
        let pages = try await queue.test.pages(of: claim, types, values)
        print("pages of a claim (\(name)) beside 1,000 runs of a full group: \(pages)")
        #expect(pages < 3_000)
      }
      let claimed = "select key from run where state = 'running' and key <> 'full' order by key"
      #expect(try await queue.test.sql(claimed) == ["free-1", "free-3", "free12"])
    }
  }

  /// While the transaction is open, the index contains an entry for each completed run.
  @Test(.sampled()) func `completed runs of a group cost a claim of quarantined runs nothing`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql("alter table run set (autovacuum_enabled = off)")
      try await queue.test.sql(
        """
        insert into job_limit (job, group_concurrency, group_separator, group_part)
        values ('note', 10, '/', 1)
        """)
      try await queue.test.holding("create temporary table open_for_long ()") { _ in
        try await queue.test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at, group_key, token, worker, claim_number)
          select 'note', 'g/' || n, 'running', t, t, t, 'g', gen_random_uuid(), gen_random_uuid(), nextval('claim_number_seq')
          from generate_series(1, 40000) n, now() t
          """)
        try await queue.test.sql("analyze run")
        try await queue.test.sql("delete from run")
        try await queue.test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at, group_key, batch_limit)
          select 'note', 'g/due' || l, 'ready', t, t, t, 'g', l
          from unnest(array[-3, -1, 12]) l, now() t
          """)
        let last = try await queue.test.sql("select last_value from claim_number_seq")
        let first = try #require(last.first.flatMap { Int($0) })
        for (name, claim, types, values) in Self.makeClaims(firstClaim: first) {
          let pages = try await queue.test.pages(of: claim, types, values)
          print("pages of a claim (\(name)) after 40,000 completed runs of a group: \(pages)")
          #expect(pages < 500)
        }
      }
      #expect(
        try await queue.test.sql("select count(*) from run where worker is not null") == ["3"])
    }
  }

  @Test func `the smallest batch limit with a due run is claimed first, the most urgent run first`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await fill(queue, 80)
      try await queue.test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at, batch_limit, priority)
        select 'note', key, 'ready', now() - late * interval '1 s', now(), now(), l, p
        from (values ('a', 1, 12, 5), ('b', 2, 12, 5), ('urgent', 0, 12, 2), ('other', 9, 25, 1))
          v (key, late, l, p)
        """)
      try await queue.test.sql("update job set priorities = '{5,1,2}' where name = 'note'")
      var claimed: [[String]] = []
      for limit in [2, 10, 10] {
        let runs = try await queue.connection.atomically(
          in: queue.test.schema,
          QueueCalls.claimQuarantined(
            queue.job.definition, limit: limit, token: UUID(), worker: UUID()))
        claimed.append(runs.map(\.key).sorted())
      }
      #expect(claimed == [["b", "urgent"], ["a"], ["other"]])
    }
  }
}
