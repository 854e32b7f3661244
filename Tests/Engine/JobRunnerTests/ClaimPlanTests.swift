import BatonPostgres
import Foundation
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the plans of hot statements without their parameter values, as a worker's sessions have
/// them after a while.
///
/// Each plan must use the expected index, and must read no part that grows with the waiting runs.
@Suite struct ClaimPlanTests {
  private static let types = "text, bigint, uuid, uuid, boolean, timestamptz, bigint"
  private static let frontTypes =
    "text[], integer[], timestamptz[], bigint[], timestamptz, text, integer, boolean"
  private static let wholeFront = "'{}', '{}', '{}', '{}', null, 'notes', 1, true"

  private func fill(_ queue: NoteQueue, _ runs: Int) async throws {
    try await queue.test.sql(
      """
      insert into run (job, key, state, due, first_event_at, last_event_at)
      select 'note', n::text, 'ready', now() - interval '1 h' + n * interval '1 us', now(), now()
      from generate_series(1, \(runs)) n
      """)
    try await queue.test.sql("analyze run")
  }

  @Test func `a claim reads due runs in order and the rows by their place`() async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, 5_000)
      let token = "'\(UUID())'"
      let plan = try await queue.test.explain(
        SQL.Queue.claim, Self.types, "'note', 500, \(token), \(token), true, '-infinity', 0"
      ).joined(separator: "\n")
      #expect(plan.contains("Index Scan using run_ready on run w"))
      #expect(plan.contains("Tid Scan on run r"))
      // The plan contains a search for each key, and never reads all runs of the job.
      #expect(plan.contains("SubPlan") && plan.contains("using run_pkey on run b"))
      #expect(!plan.contains("Seq Scan") && !plan.contains("Anti Join"))
    }
  }

  /// Returns the plans.
  ///
  /// With 0 runs, these are the plans of workers that prepared their statements with an empty
  /// queue.
  @Test(arguments: [0, 5_000])
  func `claimed runs are ended by their place, alone and in groups`(runs: Int) async throws {
    try await NoteQueue.with { queue in
      try await fill(queue, runs)
      let one = "array['(0,1)']::tid[]"
      let plans = [
        try await queue.test.explain(
          SQL.Queue.endClaimed, "tid[], uuid, bigint", "\(one), '\(UUID())', 1"),
        try await queue.test.explain(
          SQL.Queue.endEffects, "tid[], bigint[], uuid[]",
          "\(one), array[1]::bigint[], array['\(UUID())']::uuid[]"),
      ]
      for plan in plans.map({ $0.joined(separator: "\n") }) {
        #expect(plan.contains("Tid Scan on run"))
        #expect(!plan.contains("Seq Scan") && !plan.contains("Index"), "\(plan)")
      }
    }
  }

  @Test func `a fold is planned once`() async throws {
    try await NoteQueue.with { queue in
      for _ in 0..<8 { _ = try await queue.queue.foldAtOnce() }
      for _ in 0..<8 { _ = try await queue.queue.fold() }
      let plans = try await queue.connection.sql(
        """
        select generic_plans, custom_plans from pg_prepared_statements
        where statement like '-- Dispatches the new events%' or statement like '-- Appends the next position%'
        """, in: queue.test.schema)
      #expect(plans == ["16,0", "16,0"])
    }
  }

  /// `BATON_QUEUE_RUNS=1000000` tests the full size.
  @Test func `what a cycle reads does not grow with what waits`() async throws {
    let many = ProcessInfo.processInfo.environment["BATON_QUEUE_RUNS"].flatMap { Int($0) } ?? 50_000
    let few = try await pages(beside: 1_000)
    // Each search may read at most one more level of the index, and the entries that vacuum has not
    // yet removed.
    let most = few.mapValues { $0 + $0 / 2 + 20 }
    var more = try await pages(beside: many)
    // Entries that vacuum could not remove because of another test's snapshot are removed the next
    // time.
    for _ in 1...3 where more.contains(where: { $1 > most[$0, default: 0] }) {
      more.merge(try await pages(beside: many)) { min($0, $1) }
    }
    print("pages beside 1,000 waiting runs: \(few); beside \(many): \(more)")
    for (statement, pages) in few {
      #expect(pages > 0)
      #expect(
        more[statement, default: .max] <= most[statement, default: 0],
        "\(statement) beside \(many) waiting runs")
    }
  }

  /// A worker that prepared its statements with an empty table keeps its plans until the table is
  /// analyzed.
  ///
  /// By then, the table is full.
  @Test func `a look that was planned on an empty queue reads as much of a full one`() async throws
  {
    try await NoteQueue.with { queue in
      let test = queue.test
      try await test.sql("alter table run set (autovacuum_enabled = off)")
      // For a single job, PostgreSQL would not read all runs first.
      try await test.sql(
        """
        insert into job (name, quiet, at_most)
        select 'other-' || n, '1 s', '1 s' from generate_series(1, 7) n
        """)
      let connection = try await test.connect()
      try await connection.script(Statement("test/empty", "vacuum analyze \(test.schema.name).run"))
      try await connection.script(
        Statement(
          "test/prepare",
          """
          set search_path to \(test.schema.name), pg_temp; set plan_cache_mode = force_generic_plan;
          prepare look (\(Self.frontTypes)) as \(SQL.Queue.poll.text)
          """))
      let explain = Call.rows(
        Statement(
          "test/explain",
          "explain (analyze, buffers, costs off, timing off) execute look (\(Self.wholeFront))")
      ) { (row) throws(PostgresError) in try row.decode(String.self) }
      func pages() async throws -> Int {
        try await TestSchema.fewestPages(atMost: 0) {
          // The transaction plans like a worker's transactions.
          let lines: [String] = try await Session(connection, in: test.schema).atomically(explain)
          return lines
        }
      }
      let empty = try await pages()
      try await test.sql(
        """
        insert into run (job, key, state, due, first_event_at, last_event_at)
        select 'note', n::text, 'ready', now() - interval '1 h' + n * interval '1 us', now(), now()
        from generate_series(1, 10000) n
        """)
      let full = try await pages()
      print("pages of a look planned on an empty queue: \(empty), of 10,000 runs \(full)")
      #expect(full <= empty + 20)
      await connection.close()
    }
  }

  /// Returns the pages that each statement of a cycle reads beside so many due runs.
  private func pages(beside runs: Int) async throws -> [String: Int] {
    var pages: [String: Int] = [:]
    try await NoteQueue.with { queue in
      try await fill(queue, runs)
      let test = queue.test
      // The keys of the events are in the middle of the queue. A hundred events are new, and half
      // of their keys already have runs.
      try await test.sql(
        """
        select append_events('note.written', array_agg((\(runs) / 2 + 50 - n)::text || suffix))::text
        from generate_series(1, 50) n, unnest(array['', 'x']) suffix
        """)
      pages["look"] = try await test.pages(
        of: SQL.Queue.poll, Self.frontTypes, Self.wholeFront)
      pages["fold"] = try await test.pages(of: SQL.Queue.fold, "boolean", "false")
      pages["claim"] = try await test.pages(
        of: SQL.Queue.claim, Self.types,
        "'note', 100, gen_random_uuid(), gen_random_uuid(), true, '-infinity', 0")
      pages["claim_quarantined"] = try await test.pages(
        of: SQL.Queue.claimQuarantined, "text, uuid, uuid, bigint, bigint",
        "'note', gen_random_uuid(), gen_random_uuid(), 10, 0")
      pages["claim_alone"] = try await test.pages(
        of: SQL.Queue.claimAlone, "text, uuid, uuid, bigint",
        "'note', gen_random_uuid(), gen_random_uuid(), 0")
      let claimed = try await test.sql(
        """
        select array_agg(ctid::text)::text, min(token::text), array_agg(key)::text
        from run where state = 'running'
        """)
      let parts = try #require(claimed.first?.firstMatch(of: /^"?(\{.*?\})"?,([0-9a-f-]+),/))
      let places = parts.1.replacing("\"\"", with: "\"").replacing("\\", with: "")
      pages["end_claimed"] = try await test.pages(
        of: SQL.Queue.endClaimed, "tid[], uuid, bigint", "'\(places)', '\(parts.2)', 100")
      pages["claim_probe"] = try await test.pages(
        of: SQL.Queue.claimProbe,
        "text, uuid, uuid, bigint, bigint, boolean, timestamptz, bigint, bigint",
        "'note', gen_random_uuid(), gen_random_uuid(), 64, 7, false, '-infinity', 0, 0")
    }
    return pages
  }

  @Test func `what a fold reads follows what is new, not what was folded`() async throws {
    func pages(_ folded: Int) async throws -> Int {
      var pages = 0
      try await NoteQueue.with { queue in
        let events = "insert into event_0 (topic, key) select 'note', n::text from"
        try await queue.test.sql("\(events) generate_series(1, \(folded)) n")
        // The transactions of other tests must not be open, because a fold searches for each of
        // them by id.
        try await queue.test.sql(
          """
          update event_position set snapshot = format('%1$s:%1$s:', pg_snapshot_xmax(s))::pg_snapshot
          from pg_current_snapshot() s
          """)
        try await queue.test.sql("\(events) generate_series(1, 20) n")
        try await queue.test.sql("analyze event_0")
        pages = try await queue.test.pages(of: SQL.Queue.fold, "boolean", "false")
      }
      return pages
    }
    let few = try await pages(1_000)
    var many = try await pages(20_000)
    for _ in 1...3 where Double(many) > Double(few) * 1.5 {
      many = min(many, try await pages(20_000))
    }
    #expect(few > 0)
    #expect(
      Double(many) <= Double(few) * 1.5, "\(few) pages after 1,000 events, \(many) after 20,000")
  }
}
