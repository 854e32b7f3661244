import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests thousands of schedules, one for each tenant.
@Suite(.timeLimit(.minutes(10))) struct ManySchedulesTests {
  private let report = TimedJob<TenantReport>.registered
  private let probe = TimedJob<Probe>.registered

  /// Returns the statement that stores schedules like those of callers, without checking each
  /// schedule.
  private func made(_ count: Int, next: String, prefix: String = "tenant-") -> String {
    """
    insert into schedule (job, name, source, expression, time_zone, missed, next_at, in_development)
    select 'report', '\(prefix)' || n, 'sql', '0 0 * * *', 'UTC', 'once', \(next), false
    from generate_series(1, \(count)) n
    """
  }

  /// Calls the body with a schema whose locks a test can hold.
  private func withSchema(_ body: (TestSchema, Session) async throws -> Void) async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      try await Queue(session).define([report])
      try await test.sql("alter table schedule set (autovacuum_enabled = off)")
      try await body(test, session)
      await connection.close()
    }
  }

  @Test(.sampled()) func `many that are due fire in pieces, each once, by any number of workers`()
    async throws
  {
    try await JobTest.noting([report]) { test in
      try await test.sql(made(2_000, next: "date_trunc('day', now(), 'UTC')"))
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [report])
      let first = try await scheduler.firePiece()
      #expect(first.events == Scheduler.mostTaken && first.hasMore)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<4 { group.addTask { try await test.fireSchedules() } }
        let fired = try await group.reduce(0, +)
        #expect(fired == 2_000 - first.events)
      }
      #expect(try await test.count("occurrence") == 2_000)
      #expect(try await test.count("event") == 2_000)
      let last = try await scheduler.firePiece()
      #expect(last.schedules == 0 && !last.hasMore)
      await connection.close()
    }
  }

  @Test(.sampled()) func `a list is read in pages`() async throws {
    try await JobTest.noting([report, probe]) { test in
      try await test.sql(made(2_500, next: "now()"))
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [report])
      for job in [nil, "report"] as [String?] {
        var sizes: [Int] = []
        var listed: [String] = []
        try await scheduler.list(of: job) { page, isFirst in
          #expect(isFirst == sizes.isEmpty)
          sizes.append(page.count)
          listed += page.map { "\($0.id)" }
        }
        let stored = try await test.sql(
          """
          select job || case name when '' then '' else '/' || name end from schedule
          where \(job == nil ? "true" : "job = 'report'") order by job, name
          """)
        #expect(listed == stored)
        #expect(sizes.dropLast() == [1_000, 1_000] && stored.count >= 2_500)
      }
      var pages = 0
      try await scheduler.list(of: "nobody") { page, isFirst in
        pages += 1
        #expect(page.isEmpty && isFirst)
      }
      #expect(pages == 1)
      await connection.close()
    }
  }

  @Test(.sampled()) func `a piece is bounded by its occurrences and payloads`() async throws {
    try await JobTest.noting([report]) { test in
      try await test.sql(made(50, next: "now() - interval '100 days'"))
      try await test.sql("update schedule set missed = 'all'")
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [report])
      let piece = try await scheduler.firePiece()
      #expect((900...1_100).contains(piece.events) && piece.hasMore, "\(piece)")
      try await test.sql(
        """
        update schedule set missed = 'once', next_at = now() - interval '1 day',
          payload = jsonb_build_object('x', (select string_agg(md5(n::text), '') from generate_series(1, 7000) n))
        """)
      let heavy = try await scheduler.firePiece()
      #expect((5...20).contains(heavy.events) && heavy.hasMore, "\(heavy)")
      await connection.close()
    }
  }

  @Test(.sampled()) func `jobs take turns, so that a backlog of one holds back no other`()
    async throws
  {
    try await JobTest.noting([report, probe]) { test in
      try await test.sql(made(1_500, next: "now() - interval '2 days'"))
      try await test.sql(
        """
        insert into schedule (job, name, source, expression, missed, next_at, in_development)
        values ('zz-probe', 'a', 'sql', 'every 60 s', 'once', now() - interval '1 minute', false)
        """)
      let connection = try await test.connect()
      let scheduler = Scheduler(Session(connection, in: test.schema), jobs: [report, probe])
      _ = try await scheduler.firePiece()
      #expect(try await test.count("occurrence where job = 'zz-probe'") == 1)
      await connection.close()
    }
  }

  @Test func `schedules whose time zone the server does not know delay no other schedule`()
    async throws
  {
    try await JobTest.noting([report]) { test in
      try await test.sql(made(1_200, next: "now() - interval '2 days'"))
      // The test simulates that an update of the server has removed the time zones.
      try await test.sql(
        "update schedule set time_zone = 'Mars/Olympus-' || case when name < 'tenant-5' then 'a' else 'b' end"
      )
      try await test.sql(
        """
        insert into schedule (job, name, source, expression, missed, next_at, in_development)
        values ('report', 'good', 'sql', 'every 60 s', 'once', now() - interval '1 minute', false)
        """)
      #expect(try await test.fireSchedules() == 1)
      #expect(try await test.count("schedule where next_at < now() - interval '1 day'") == 1_200)
    }
  }

  @Test func `a schedule without its time zone does not hold back the same expression`()
    async throws
  {
    try await JobTest.noting([report]) { test in
      try await test.sql(made(2, next: "now() - interval '2 days'"))
      try await test.sql(
        """
        update schedule set time_zone = null, next_at = now() - interval '3 days' where name = 'tenant-1'
        """)
      #expect(try await test.fireSchedules() == 1)
      #expect(try await test.sql("select name from schedule where next_at > now()") == ["tenant-2"])
    }
  }

  @Test func `a schedule that a caller has locked is skipped, and fires afterwards`() async throws {
    try await withSchema { test, session in
      try await test.sql(made(3, next: "now() - interval '1 day'"))
      let scheduler = Scheduler(session, jobs: [report])
      try await test.holding("select pause_schedule('report', 'tenant-2')") { held in
        let fired = try await scheduler.fireDue()
        #expect(fired == 2)
        try await held.release()
      }
      #expect(try await scheduler.fireDue() == 1)
    }
  }

  // MARK: What polls and firings read

  /// Tests the plans of sessions that prepared their statements before any schedule existed.
  @Test func `many schedules cost a poll as little as none, and a firing reads only due ones`()
    async throws
  {
    try await JobTest.noting([report]) { test in
      try await test.sql("alter table schedule set (autovacuum_enabled = off)")
      let connection = try await test.connect()
      let pages = try await SchedulePages(Session(connection, in: test.schema))
      let (empty, none) = (try await pages.ofPoll(), try await pages.ofTaking())
      try await test.sql(
        made(TestSize.isFull ? 100_000 : 10_000, next: "now() + n * interval '1 s'"))
      let (full, waiting) = (try await pages.ofPoll(), try await pages.ofTaking())
      print(
        "pages of a poll: \(empty), with many schedules \(full); of a firing: \(none), \(waiting)")
      #expect(full <= empty + 15)
      #expect(waiting <= none + 15)
      await connection.close()
    }
  }

  @Test(.sampled())
  func `schedules that have moved on cost polls nothing beside an old transaction`()
    async throws
  {
    try await withSchema { test, session in
      try await test.sql(made(5_000, next: "now() - interval '1 day'"))
      let front = QueueFront()
      let queue = Queue(session, front: front)
      _ = try await queue.tryFold(storesTime: true)
      let pages = try await SchedulePages(session)
      try await test.holding("create temporary table open_for_long ()") { _ in
        #expect(try await Scheduler(session, jobs: [report]).fireDue() == 5_000)
        let whole = try await pages.ofPoll()
        for _ in 1...2 { _ = try await queue.poll() }
        let marks = front.scheduleMarks
        #expect(marks["report"].map { $0 > Timestamp(clamping: Date()) } == true)
        let after = try await pages.ofPoll(from: front.begin().marks)
        let taking = try await pages.ofTaking(from: marks)
        print(
          "pages beside an old transaction: \(whole), from a mark \(after), of a firing \(taking)")
        #expect(after < 90 && taking < 40 && whole > after + 30)
      }
    }
  }

  @Test func `a schedule that commits after a poll is found by the next poll`() async throws {
    try await withSchema { test, session in
      try await test.sql(made(1, next: "now() + interval '1 hour'"))
      let queue = Queue(session, front: QueueFront())
      _ = try await queue.tryFold(storesTime: true)
      for _ in 1...2 { #expect(try await !queue.poll().hasDueSchedules) }
      // The schedule is inserted as if the call's transaction had begun before the polls.
      try await test.sql(made(1, next: "now() - interval '5 s'", prefix: "late-"))
      let poll = try await queue.poll()
      #expect(poll.hasDueSchedules)
    }
  }

  // MARK: Full size

  @Test(.enabled(if: TestSize.isFull, "100,000 schedules in one minute: make test-all"))
  func `100,000 that are due at once fire within a minute, and other jobs go on`() async throws {
    try await JobTest.noting([report, probe]) { test in
      try await test.sql(
        "select schedule('report', 'tenant-' || n, cron => '0 0 1 1 *') from generate_series(1, 100000) n"
      )
      let worker = test.worker([report, probe])
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await worker.run() }
        let began = ContinuousClock.now
        try await test.sql(
          "update schedule set next_at = date_trunc('minute', now()), expression = 'every 60 s', time_zone = null"
        )
        var longest = Duration.zero
        while try await test.count("occurrence") < 100_000 {
          let asked = ContinuousClock.now
          let key = "probe-\(asked)"
          try await test.sql("select enqueue('zz-probe', '\(key)')")
          while try await test.count("noted where key = '\(key)'") == 0 {
            try await Task.sleep(for: .milliseconds(5))
          }
          longest = max(longest, asked.duration(to: .now))
          if began.duration(to: .now) > .seconds(60 * patience) { break }
        }
        let took = began.duration(to: .now)
        print("100,000 schedules fired in \(took), the longest pick-up of another job \(longest)")
        #expect(took < .seconds(60 * patience) && longest < .milliseconds(500 * patience))
        worker.stop()
        try await group.waitForAll()
      }
    }
  }
}

private enum Probe: TimedKind {
  static let name = "zz-probe"
  static let schedule: Schedule? = nil
}

/// The pages that polls and firings of a session read.
///
/// The session made its plans before any schedule existed.
private struct SchedulePages {
  private let session: Session

  init(_ session: Session) async throws {
    self.session = session
    try await session.connection.script(
      Statement(
        "test/prepare",
        """
        set search_path to \(session.schema.name), pg_temp; set plan_cache_mode = force_generic_plan;
        prepare look (text[], integer[], timestamptz[], bigint[], timestamptz, text, integer, boolean) as
        \(SQL.Queue.poll.text);
        prepare take (text[], text[], timestamptz[], bigint) as \(SQL.Schedules.takeDue.text)
        """))
    // The first execution creates the plans.
    _ = try await (ofPoll(), ofTaking())
  }

  func ofPoll(from marks: QueueFront.Marks = QueueFront.Marks()) async throws -> Int {
    let (jobs, priorities, dues, ids) = marks.columns
    let others = marks.others.map { "to_timestamp(\(Double($0.microseconds) / 1e6))" } ?? "null"
    return try await pages(
      "look (\(array(jobs)), array[\(list(priorities))]::integer[], \(times(dues)), "
        + "array[\(list(ids))]::bigint[], \(others), 'notes', 1, true)")
  }

  func ofTaking(from marks: [String: Timestamp] = [:]) async throws -> Int {
    let marks = Array(marks)
    return try await pages(
      "take ('{report}', \(array(marks.map(\.key))), \(times(marks.map(\.value))), 1000)")
  }

  private func array(_ texts: [String]) -> String { "'{\(texts.joined(separator: ","))}'" }

  private func list(_ numbers: [some FixedWidthInteger]) -> String {
    numbers.map { "\($0)" }.joined(separator: ",")
  }

  private func times(_ times: [Timestamp]) -> String {
    let texts = times.map { "to_timestamp(\(Double($0.microseconds) / 1e6))" }
    return "array[\(texts.joined(separator: ","))]::timestamptz[]"
  }

  private func pages(_ call: String) async throws -> Int {
    let explain = Call.rows(
      Statement(
        "test/explain \(call.utf8.count) \(call.hashValue)",
        "explain (analyze, buffers, costs off, timing off) execute \(call)")
    ) { (row) throws(PostgresError) in try row.decode(String.self) }
    return try await TestSchema.fewestPages(atMost: 0) {
      // The transaction plans like a worker's transactions.
      let lines: [String] = try await session.atomically(explain)
      return lines
    }
  }
}
