import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests a job that requests all payloads: which run gets which payloads.
@Suite struct AllPayloadsTests {
  func enqueue(_ key: String, _ texts: String..., in test: JobTest) async throws {
    for text in texts {
      try await test.sql("select enqueue('digest', '\(key)', '{\"text\": \"\(text)\"}')")
    }
  }

  func written(_ test: JobTest) async throws -> [String] {
    try await test.sql("select text from noticed order by id")
  }

  func fold(_ test: JobTest) async throws {
    let connection = try await test.connect()
    _ = try await Queue(Session(connection, in: test.schema)).fold()
    await connection.close()
  }

  @Test(.sampled()) func `a run has the payloads of its key in the order of the events`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "2", in: test)
      try await enqueue("b", "x", in: test)
      try await fold(test)
      try await enqueue("a", "3", in: test)
      // An event without a payload adds no payload.
      try await test.sql("select enqueue('digest', 'a')")
      try await test.drain()
      #expect(try await written(test).sorted() == ["a:1-2-3", "b:x"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
      try await test.sql("select enqueue('digest', 'a')")
      try await test.drain()
      #expect(try await written(test).last == "a:")
    }
  }

  @Test(.sampled()) func `a run takes the first thousand, the rest make the next run`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.sql(
        "select enqueue('digest', 'a', jsonb_build_object('text', n::text)) from generate_series(1, 2500) n"
      )
      #expect(try await test.drain() == 0)
      let expected = [1...1000, 1001...2000, 2001...2500].map {
        "a:" + $0.map(String.init).joined(separator: "-")
      }
      #expect(try await written(test) == expected)
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  @Test(.sampled()) func `a run takes 4 MiB, the rest make the next run`() async throws {
    try await NoticeBoard.with { test in
      try await test.sql(
        """
        select enqueue('digest', 'a', jsonb_build_object('text', n || repeat('x', 1000000)))
        from generate_series(1, 10) n
        """)
      #expect(try await test.drain() == 0)
      let taken = try await test.sql("select replace(text, 'x', '') from noticed order by id")
      #expect(taken == ["a:1-2-3-4", "a:5-6-7-8", "a:9-10"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  @Test(.sampled(), arguments: [1, 1_000, TestSize.isFull ? 100_000 : 2_500])
  func `no payload of a key is lost or out of order, however many there are`(count: Int)
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.sql(
        """
        select count(enqueue('digest', 'a', jsonb_build_object('text', n::text)))
        from generate_series(1, \(count)) n
        """)
      #expect(try await test.drain() == 0)
      let isComplete = try await test.sql(
        """
        select string_agg(substr(text, 3), '-' order by id)
            = (select string_agg(n::text, '-' order by n) from generate_series(1, \(count)) n),
          max(cardinality(string_to_array(text, '-'))) <= 1000
        from noticed
        """)
      #expect(isComplete == ["t,t"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  @Test func `an attempt that failed is repeated with the same payloads`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "bad", in: test)
      #expect(try await test.drain() == 0)
      // The writes of the failed attempts were rolled back.
      #expect(try await written(test) == ["a:1-bad"])
    }
  }

  @Test func `a newer payload joins a run that waits for its next attempt, under an id of its own`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", in: test)
      try await fold(test)
      let first = try await test.sql("select id from run")
      try await test.sql(
        "update run set attempt = 1, due = now() + interval '1 hour', "
          + "backoff_until = now() + interval '1 hour'")
      try await test.sql("update run_payload set taken_by = (select id from run)")
      try await enqueue("a", "2", in: test)
      try await fold(test)
      #expect(try await test.sql("select id from run") != first)
      try await test.drain()
      #expect(try await written(test) == ["a:1-2"])
    }
  }

  @Test func `replace drops what waits, and not what a run has taken`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", in: test)
      try await fold(test)
      try await test.sql(
        "update run set state = 'running', attempt = 1, token = gen_random_uuid(), "
          + "worker = gen_random_uuid()")
      try await test.sql("update run_payload set taken_by = (select id from run)")
      try await enqueue("a", "2", in: test)
      try await fold(test)
      try await test.sql("select enqueue('digest', 'a', '{\"text\": \"3\"}', replace => true)")
      try await enqueue("a", "4", in: test)
      try await fold(test)
      #expect(
        try await test.sql("select payload ->> 'text' from run_payload order by id") == [
          "1", "3", "4",
        ])
    }
  }

  /// Makes one call in a transaction that commits after later calls with the same key were
  /// dispatched.
  private func commitLate(
    _ early: String, after texts: String..., in test: JobTest
  ) async throws {
    let connection = try await test.connect()
    try await connection.transaction(in: test.schema) { transaction in
      try await transaction.run(.run(Statement("test/early", early)))
      for text in texts { try await enqueue("a", text, in: test) }
      try await fold(test)
    }
    await connection.close()
  }

  @Test(.sampled())
  func `a call with replace that commits late drops only the payloads of earlier calls`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "0", in: test)
      try await fold(test)
      try await commitLate(
        "select enqueue('digest', 'a', '{\"text\": \"1\"}', replace => true)", after: "2", "3",
        in: test)
      try await test.drain()
      #expect(try await written(test) == ["a:1-2-3"])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
    }
  }

  @Test func `a call with replace drops no payload of a later call whose transaction began first`()
    async throws
  {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      try await connection.transaction(in: test.schema) { transaction in
        try await transaction.run(.run(Statement("test/begin", "select now()")))
        try await test.sql(
          "select enqueue('digest', 'a', '{\"text\": \"1\"}', replace => true)")
        let late = "select enqueue('digest', 'a', '{\"text\": \"2\"}')"
        try await transaction.run(.run(Statement("test/late", late)))
      }
      await connection.close()
      try await test.drain()
      #expect(try await written(test) == ["a:1-2"])
    }
  }

  /// The log contains events whose run is dead, and events whose run still waits.
  @Test func `a restored log is dispatched again, and a run can become dead again`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "worst", in: test)
      #expect(try await test.drain() == 1)
      try await enqueue("b", "1", in: test)
      try await fold(test)
      try await test.sql(
        "update event_position set epoch = 1, snapshot = '9000000000:9000000000:'")
      try await fold(test)
      #expect(try await test.sql("select key from run order by key") == ["a", "b"])
      #expect(try await test.drain() == 1)
      #expect(try await test.sql("select key from dead_run") == ["a"])
      #expect(try await written(test) == ["b:1"])
    }
  }

  @Test func `a run from before the job received all payloads gets its newest payload`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "2", in: test)
      try await fold(test)
      try await test.sql("delete from run_payload")
      try await test.drain()
      #expect(try await written(test) == ["a:2"])
    }
  }

  @Test(.sampled()) func `payloads of a dead run stay with it, come back with it, and go with it`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "worst", in: test)
      #expect(try await test.drain() == 1)
      try await enqueue("a", "2", in: test)
      #expect(try await test.drain() == 1)
      #expect(try await written(test) == ["a:2"], "those of the dead run are not the next one's")
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      let dead = try #require(
        try await test.sql("select id from dead_run").first.flatMap { Int64($0) })
      _ = try await queue.retry(ids: [dead])
      #expect(try await test.drain() == 1)
      #expect(
        try await test.sql("select payload ->> 'text' from run_payload order by id") == [
          "1", "worst",
        ])
      _ = try await queue.discard(ids: [dead])
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
      try await enqueue("b", "1", in: test)
      try await fold(test)
      let ready = try #require(try await test.sql("select id from run").first.flatMap { Int64($0) })
      _ = try await queue.cancel(ready)
      #expect(try await test.sql("select count(*) from run_payload") == ["0"])
      await connection.close()
    }
  }

  /// Cancels a run whose row a transaction has locked, and expects that neither a run nor a payload
  /// remains.
  ///
  /// The transaction commits after the cancellation has begun to wait for the lock.
  private func cancel(
    _ id: Int64, in test: JobTest, during work: (Transaction) async throws -> Void
  ) async throws {
    let (working, cancelling) = (try await test.connect(), try await test.connect())
    let queue = Queue(Session(cancelling, in: test.schema))
    let cancellation = try await working.transaction(in: test.schema) { transaction in
      try await work(transaction)
      let cancellation = Task { try await queue.cancel(id) }
      try await eventually("the cancellation waits") {
        try await test.sql(
          """
          select count(*) from pg_stat_activity
          where wait_event_type = 'Lock' and datname = current_database()
          """) == ["1"]
      }
      return cancellation
    }
    #expect(try await cancellation.value == .cancelled(id))
    #expect(
      try await test.sql("select (select count(*) from run), (select count(*) from run_payload)")
        == ["0,0"])
    await working.close()
    await cancelling.close()
  }

  /// The cancellation waits for the lock of a run.
  ///
  /// Another run with the same key is being merged into this run.
  @Test func `a cancelled run takes along the payloads of a run that was merged into it meanwhile`()
    async throws
  {
    try await NoticeBoard.with { test in
      let token = UUID()
      try await enqueue("a", "1", in: test)
      try await fold(test)
      try await test.sql(
        "update run set state = 'running', attempt = 1, token = '\(token)', worker = '\(token)'")
      try await test.sql("update run_payload set taken_by = (select id from run)")
      try await enqueue("a", "2", in: test)
      try await fold(test)
      let ids = try await test.sql("select id from run where state = 'ready'")
      let id = try #require(ids.first.flatMap { Int64($0) })
      try await cancel(id, in: test) { transaction in
        let released = try await transaction.run(
          .count(
            SQL.Queue.release, "digest", ["a"], token, Int32(1), Int64(0), Int32?.none, String?.none
          ))
        #expect(released == 1)
      }
    }
  }

  /// The cancellation waits for a dispatch that is merging an earlier call into the run.
  @Test func `a cancelled run takes along the payload of an earlier call that is merged meanwhile`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await commitLate(
        "select enqueue('digest', 'a', '{\"text\": \"1\"}')", after: "2", in: test)
      let ids = try await test.sql("select id from run")
      let id = try #require(ids.first.flatMap { Int64($0) })
      try await cancel(id, in: test) { transaction in
        try await transaction.run(QueueCalls.lockCursor)
        try await transaction.run(
          QueueCalls.advance(inPieces: false), QueueCalls.fold(atOnce: false, inPieces: false))
      }
    }
  }

  @Test(.sampled())
  func `an operator is shown all that a run carries, while it waits and when it is dead`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "worst", in: test)
      try await enqueue("b", "other", in: test)
      try await test.sql(
        "select enqueue('digest', 'c', jsonb_build_object('text', n::text)) from generate_series(1, 150) n"
      )
      try await fold(test)
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      func id(_ key: String, _ table: String = "run") async throws -> Int64 {
        let ids = try await test.sql("select id from \(table) where key = '\(key)'")
        return try #require(ids.first.flatMap { Int64($0) })
      }
      let (a, b, c) = (try await id("a"), try await id("b"), try await id("c"))
      let texts = ["1", "worst"].map { "{\n    \"text\": \"\($0)\"\n}" }
      #expect(try await queue.payloads(of: a) == .carried(a, texts, of: 2))
      guard case .carried(_, let shown, let count) = try await queue.payloads(of: c) else {
        throw TestFailure("nothing of c is shown")
      }
      #expect(shown.count == 100 && count == 150 && shown.first?.contains("\"1\"") == true)
      // A single payload is displayed regardless of its length.
      try await test.sql(
        "update run_payload set payload = jsonb_build_object('text', repeat(md5('x'), 200000)) where key = 'b'"
      )
      guard case .carried(_, let long, of: 1) = try await queue.payloads(of: b) else {
        throw TestFailure("nothing of b is shown")
      }
      #expect(long.first?.utf8.count ?? 0 > 6_000_000)
      #expect(try await test.drain() == 1)
      let dead = try await id("a", "dead_run")
      // A later payload belongs to the next run.
      try await enqueue("a", "2", in: test)
      try await fold(test)
      #expect(try await queue.payloads(of: dead) == .carried(dead, texts, of: 2))
      #expect(try await queue.payloads(of: b) == .missing)
      #expect(
        try await test.sql(
          "select subject->>'key' from audit where action = 'runs payload' order by number")
          == ["a", "c", "b", "a"])
      await connection.close()
    }
  }

  /// Returns the texts that a dry run of the key `a` would write.
  func dryRun(in test: JobTest) async throws -> [String]? {
    let runner = InlineRunner(
      DigestJob.registered, on: test.configuration, schema: test.schema, logger: .quiet)
    let seen = try await runner.dryRun(key: "a") { transaction, _ in
      let read = Statement("test/read_noticed", "select text from noticed")
      return try await transaction.run(
        Call.rows(read) { (row) throws(PostgresError) in try row.decode(String.self) })
    }
    return seen?.after
  }

  @Test func `a dry run shows what the run would have and takes nothing`() async throws {
    try await NoticeBoard.with { test in
      try await enqueue("a", "1", "2", in: test)
      try await fold(test)
      #expect(try await dryRun(in: test) == ["a:1-2"])
      #expect(
        try await test.sql("select count(*) from run_payload where taken_by is null") == ["2"])
    }
  }
}
