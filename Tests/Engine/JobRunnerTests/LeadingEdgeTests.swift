import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests a debounce with a leading edge: a run is due immediately if the key was quiet, and
/// otherwise at the end of the debounce time.
@Suite(.timeLimit(.minutes(5)), .bothWaysAtFullSize) struct LeadingEdgeTests {
  /// Calls the body with the tests' job, which has a leading edge of this time.
  private func withEdge(
    _ body: (NoteQueue) async throws -> Void
  ) async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql("update job set quiet = '0', at_most = '0', every = '10 hours'")
      try await body(queue)
    }
  }

  /// Returns the due time of the key's ready run, in hours from now.
  private func due(_ key: String, _ queue: NoteQueue) async throws -> [String] {
    try await queue.test.sql(
      "select round(extract(epoch from due - now()) / 3600) from run where key = '\(key)' and state = 'ready'"
    )
  }

  /// Processes all due runs, like a worker.
  private func work(_ queue: NoteQueue) async throws {
    let executor = try await queue.executor()
    while try await executor.workOnce(queue.job) {}
    await executor.close()
  }

  /// Moves all recorded times into the past by the given time.
  private func age(_ time: String, _ queue: NoteQueue) async throws {
    try await queue.test.sql("update recent_run set free_at = free_at - interval '\(time)'")
    try await queue.test.sql(
      """
      update run
      set due = due - interval '\(time)', first_event_at = first_event_at - interval '\(time)',
        last_event_at = last_event_at - interval '\(time)'
      """)
  }

  @Test func `a fold names the job while a run that it made is due`() async throws {
    try await withEdge { queue in
      try await queue.write("a")
      #expect(try await queue.queue.fold()?.dueJobs == ["note"])
      try await work(queue)
      try await queue.write("a")
      let later = try await queue.queue.fold()
      #expect(later?.jobs == ["note"] && later?.dueJobs == [])
      // The run of one of two keys is due.
      try await queue.write("a", "b")
      #expect(try await queue.queue.fold()?.dueJobs == ["note"])
      // A held run waits for room in its group.
      try await queue.test.sql(
        "update run set group_key = 'g', is_held = true, due = now() where key = 'b'")
      try await queue.write("b")
      let held = try await queue.queue.fold()
      #expect(held?.runs == 1 && held?.dueJobs == [])
    }
  }

  @Test func `a quiet key is due at once, and later events at the end of its time`() async throws {
    try await withEdge { queue in
      try await queue.write("a")
      _ = try await queue.queue.fold()
      try await work(queue)
      #expect(try await queue.noted() == ["a"])
      try await age("3 h", queue)
      for _ in 1...3 {
        try await queue.write("a")
        _ = try await queue.queue.fold()
      }
      #expect(try await due("a", queue) == ["7"])
      // Another key has its own time.
      try await queue.write("b")
      _ = try await queue.queue.fold()
      try await work(queue)
      #expect(try await queue.noted() == ["a", "b"])
      // The run at the end begins another debounce time.
      try await age("8 h", queue)
      try await work(queue)
      #expect(try await queue.noted() == ["a", "a", "b"])
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["9"])
    }
  }

  @Test func `a key that was quiet for long enough is due at once again`() async throws {
    try await withEdge { queue in
      for _ in 1...2 {
        try await queue.write("a")
        _ = try await queue.queue.fold()
        try await work(queue)
        try await age("11 h", queue)
      }
      #expect(try await queue.noted() == ["a", "a"])
    }
  }

  @Test
  func `what waits for an executor takes the events that come meanwhile, and nothing is put off`()
    async throws
  {
    try await withEdge { queue in
      try await queue.write("a")
      _ = try await queue.queue.fold()
      try await age("4 h", queue)
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["-4"])
      #expect(try await queue.count("recent_run") == 1)
    }
  }

  @Test func `an event while its key runs makes the run of the end`() async throws {
    try await withEdge { queue in
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await queue.claim().count == 1)
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["10"])
      #expect(try await queue.claim().isEmpty)
    }
  }

  @Test func `no event hurries a run that waits for its next attempt`() async throws {
    try await withEdge { queue in
      try await queue.write("a")
      _ = try await queue.queue.fold()
      try await queue.test.sql(
        "update run set attempt = 1, due = now() + interval '100 h', backoff_until = now() + interval '100 h'"
      )
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["100"])
      // A manual run does not postpone later events for days.
      try await queue.test.sql("delete from run")
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["10"])
    }
  }

  @Test func `a time that was asked for is its own, whichever comes first`() async throws {
    try await withEdge { queue in
      try await queue.test.sql("select enqueue('note', 'a', run_at => now() + interval '100 h')")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["100"])
      #expect(try await queue.count("recent_run") == 0)
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["0"])
      try await queue.test.sql(
        "select enqueue('note', 'a', run_at => now() + interval '50 h', replace => true)")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["50"])
    }
  }

  @Test func `calls with replace do not postpone a waiting run again and again`() async throws {
    try await withEdge { queue in
      try await queue.write("a")
      _ = try await queue.queue.fold()
      try await work(queue)
      for _ in 1...3 {
        try await queue.test.sql("select enqueue('note', 'a', replace => true)")
        _ = try await queue.queue.fold()
        try await age("3 h", queue)
      }
      #expect(try await due("a", queue) == ["1"])
      // A replaced time no longer counts.
      try await queue.test.sql("select enqueue('note', 'a', run_at => now() - interval '5 h')")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["0"])
      try await queue.test.sql("select enqueue('note', 'a', replace => true)")
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["10"])
    }
  }

  @Test(arguments: [true, false])
  func `no call postpones an overdue run that a call with replace has made`(hasEvery: Bool)
    async throws
  {
    try await withEdge { queue in
      if !hasEvery { try await queue.test.sql("update job set every = null") }
      try await queue.test.sql("select enqueue('note', 'a', replace => true)")
      _ = try await queue.queue.fold()
      try await age("4 h", queue)
      let calls = [
        "'{}'", "run_at => now() + interval '1 h'", "replace => true",
        "run_at => now() - interval '5 h', replace => true", "'{}'",
      ]
      for call in calls {
        try await queue.test.sql("select enqueue('note', 'a', \(call))")
        _ = try await queue.queue.fold()
        #expect(try await due("a", queue) == ["-4"], "after the call with \(call)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `an older call that commits late does not postpone an overdue run`(hasEvery: Bool)
    async throws
  {
    try await withEdge { queue in
      if !hasEvery { try await queue.test.sql("update job set every = null") }
      let connection = try await queue.test.connect()
      try await connection.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(
          .run(Statement("test/older", "select enqueue('note', 'a', '{}')")))
        try await queue.test.sql("select enqueue('note', 'a', '{}')")
        _ = try await queue.queue.fold()
        try await age("4 h", queue)
      }
      await connection.close()
      #expect(try await queue.queue.fold()?.events == 1)
      #expect(try await due("a", queue) == ["-4"])
    }
  }

  @Test func `a time that was replaced does not count if the replacing call commits late`()
    async throws
  {
    try await withEdge { queue in
      try await queue.test.sql("select enqueue('note', 'a', run_at => now() + interval '5 h')")
      let connection = try await queue.test.connect()
      try await connection.transaction(in: queue.test.schema) { transaction in
        let late = """
          select enqueue('note', 'a', run_at => now() + interval '50 h', replace => true)
          """
        try await transaction.run(.run(Statement("test/late", late)))
        try await queue.test.sql("select enqueue('note', 'a', run_at => now() + interval '100 h')")
        _ = try await queue.queue.fold()
        #expect(try await due("a", queue) == ["5"])
      }
      await connection.close()
      _ = try await queue.queue.fold()
      #expect(try await due("a", queue) == ["50"])
    }
  }

  @Test func `a drain waits for nothing and leaves nothing to remember`() async throws {
    try await withEdge { queue in
      for _ in 1...2 {
        try await queue.write("a")
        _ = try await queue.queue.foldAtOnce()
        try await work(queue)
      }
      #expect(try await queue.noted() == ["a", "a"])
      #expect(try await queue.count("recent_run") == 0)
    }
  }

  @Test func `what is past is removed in bulk, and only that`() async throws {
    try await withEdge { queue in
      try await queue.test.sql(
        "insert into recent_run select 'note', n::text, now() - interval '1 s' from generate_series(1, 25000) n"
      )
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await queue.queue.forgetRecentRuns() == 0)
      #expect(try await queue.test.sql("select key from recent_run") == ["a"])
    }
  }

  /// Times in the future are read only a few at a time, regardless of their number.
  @Test(.sampled()) func `removal reads a few pages of what is not past, and all of what is`()
    async throws
  {
    try await withEdge { queue in
      let remember =
        "insert into recent_run select 'note', n::text, now() + interval '1 h' from generate_series"
      try await queue.test.sql("\(remember)(1, 50000) n")
      try await queue.test.sql(
        "insert into recent_run values ('note', 'past', now() - interval '1 s')")
      try await queue.test.sql("analyze recent_run")
      let pages = try await queue.test.pages(
        of: SQL.Queue.forgetRecentRuns, "bigint, bigint", "0, 128", atMost: 200)
      #expect(pages <= 200, "of a table with 50,000 rows")
      var (page, calls): (Int64, Int) = (0, 0)
      repeat {
        page = try await queue.queue.forgetRecentRuns(from: page)
        calls += 1
      } while page != 0 && calls < 100
      #expect(calls > 1)
      #expect(try await queue.test.sql("select count(*) from recent_run") == ["50000"])
    }
  }

  @Test func `a job without one leaves no row, whatever the others have`() async throws {
    try await withEdge { queue in
      try await queue.queue.define([NoticeJob.registered])
      try await queue.test.sql("select enqueue('notice', 'x')")
      try await queue.write("a")
      _ = try await queue.queue.fold()
      #expect(try await queue.test.sql("select job from recent_run") == ["note"])
    }
  }
}
