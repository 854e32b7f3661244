import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests folds that read only a piece of the events: pieces of a backlog, and of large transactions
/// among others.
@Suite struct FoldPieceTests {
  func with(_ body: (JobTest, PieceFolder) async throws -> Void) async throws {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      let folder = PieceFolder(queue: Queue(Session(connection, in: test.schema)))
      try await body(test, folder)
      await connection.close()
    }
  }

  /// Inserts events in one transaction, numbered from the first to the last.
  func load(_ prefix: String, _ count: Int, _ test: JobTest) async throws {
    try await test.sql(
      """
      select count(enqueue('digest', '\(prefix)' || n, jsonb_build_object('text', n::text)))
      from generate_series(1, \(count)) n
      """)
  }

  @Test func `a backlog of small transactions is folded in the order of its events`() async throws {
    try await with { test, folder in
      for n in 1...35 { try await test.sql("select enqueue('digest', '\(n)')") }
      var counts: [Int] = []
      repeat {
        counts.append(try await folder.fold(10))
        #expect(
          try await test.sql("select count(*), max(key::integer) from run") == [
            counts.reduce(0, +) == 0 ? "0," : "\(counts.reduce(0, +)),\(counts.reduce(0, +))"
          ])
        #expect(
          try await test.sql("select count(*) from unfolded_event")
            == ["\(35 - counts.reduce(0, +))"])
      } while folder.hasMore
      // The last dispatch searches for events that were committed after the backlog began.
      #expect(counts == [0, 10, 10, 10, 5, 0])
    }
  }

  @Test func `the pieces of a backlog are smaller while they take long`() {
    let piece = Folded(events: 0, runs: 0, jobs: [], dueJobs: [])
    #expect(piece.nextLimit == 4_000)
    #expect(piece.withMore(true).nextLimit == 2_000)
    for (limit, milliseconds, next) in [
      (2_000, 50, 4_000), (4_000, 50, 4_000), (2_000, 100, 2_000), (2_000, 200, 1_000),
      (150, 200, 100), (100, 10_000, 100), (100, 50, 200),
    ] {
      let folded = Folded(
        events: 100, runs: 100, jobs: [], dueJobs: [], took: .milliseconds(milliseconds)
      ).withMore(true, limit: Int64(limit))
      #expect(folded.nextLimit == next)
      #expect(folded.withMore(false).nextLimit == 4_000)
    }
  }

  @Test func `the statements for a complete log do not change a backlog`() async throws {
    try await with { test, folder in
      for n in 1...35 { try await test.sql("select enqueue('digest', '\(n)')") }
      let state = "select id, base is null, last_id, (select count(*) from run) from event_position"
      // The log has more events than the limit, but no backlog has begun.
      let complete = try await test.sql(state)
      try await folder.fold(10, inPieces: false)
      #expect(try await test.sql(state) == complete)
      while try await folder.fold(10) == 0 {}
      let backlog = try await test.sql(state)
      #expect(backlog != complete)
      try await folder.fold(1_000, inPieces: false)
      #expect(try await test.sql(state) == backlog)
    }
  }

  /// The other rows of a backlog are found without reading the rows of the large transaction.
  @Test(.sampled()) func `the size of a large transaction does not delay a later event`()
    async throws
  {
    var pieces: [Int] = []
    for size in [100, 5_000] {
      try await with { test, folder in
        try await load("bulk", size, test)
        for n in 1...5 { try await test.sql("select enqueue('digest', 'small\(n)')") }
        #expect(try await folder.fold(10) == 0)
        // The event commits after the backlog has begun.
        try await test.sql("select enqueue('digest', 'late')")
        var count = 0
        while try await test.sql("select count(*) from run where key = 'late'") == ["0"],
          count < 100
        {
          _ = try await folder.fold(10)
          count += 1
        }
        #expect(try await test.sql("select count(*) from run where key like 'small%'") == ["5"])
        pieces.append(count)
      }
    }
    #expect(pieces == [3, 3])
  }

  @Test func `other transactions do not wait for a large one`() async throws {
    try await with { test, folder in
      try await load("bulk", 100, test)
      while try await folder.fold(10) == 0 {}
      #expect(folder.hasMore)
      try await test.sql("select enqueue('digest', 'other')")
      _ = try await folder.fold(10)
      #expect(try await test.sql("select count(*) from run where key = 'other'") == ["1"])
      #expect(folder.hasMore)
      let left =
        try await test.sql("select count(*) from unfolded_event").first.flatMap { Int($0) } ?? 0
      #expect((70...90).contains(left))
      #expect(try await test.sql("select count(*) from run") == ["\(101 - left)"])
      while folder.hasMore { _ = try await folder.fold(10) }
      #expect(try await test.sql("select count(*) from run") == ["101"])
      #expect(try await test.sql("select count(*) from unfolded_event") == ["0"])
    }
  }

  @Test func `a newer event waits for the older events of its key`() async throws {
    try await with { test, folder in
      try await load("bulk", 100, test)
      while try await folder.fold(10) == 0 {}
      try await test.sql("select enqueue('digest', 'bulk95', '{\"text\": \"newer\"}')")
      try await test.sql("select enqueue('digest', 'bulk95', '{\"text\": \"newest\"}')")
      try await test.sql("select enqueue('digest', 'other')")
      _ = try await folder.fold(10)
      #expect(
        try await test.sql("select key from run where key in ('other', 'bulk95')") == ["other"])
      #expect(try await test.sql("select cardinality(deferred) from event_position") == ["2"])
      #expect(
        try await test.sql("select count(*) from unfolded_event where key = 'bulk95'") == ["3"])
      while folder.hasMore { _ = try await folder.fold(10) }
      #expect(
        try await test.sql(
          "select string_agg(payload ->> 'text', '-' order by id) from run_payload where key = 'bulk95'"
        )
          == ["95-newer-newest"])
      #expect(
        try await test.sql("select partial is null and deferred is null from event_position") == [
          "t"
        ])
    }
  }

  /// The transaction has nine events before the events of other transactions, and one event after them.
  ///
  /// The backlog is still at the events of other transactions when the large transaction is small
  /// enough for one piece.
  @Test func `an event of a large transaction is folded once, after earlier events of its key`()
    async throws
  {
    try await with { test, folder in
      let writer = try await test.connect()
      let begin = "begin; set local search_path to \(test.schema.name)"
      let bulk = "select enqueue('digest', 'bulk' || n) from generate_series(1, 9) n"
      try await writer.script(Statement("test/begin", "\(begin); \(bulk)"))
      for n in 1...30 { try await test.sql("select enqueue('digest', 'other\(n)')") }
      try await test.sql("select enqueue('digest', 'last', '{\"text\": \"old\"}')")
      let last = "select enqueue('digest', 'last', '{\"text\": \"new\"}')"
      try await writer.script(Statement("test/end", "\(last); commit"))
      await writer.close()
      var events = 0
      repeat {
        events += try await folder.fold(10)
        let texts = try await test.sql(
          "select payload ->> 'text' from run_payload where key = 'last' order by id")
        #expect([[], ["old"], ["old", "new"]].contains(texts), "\(texts)")
      } while folder.hasMore
      #expect(events == 41)
      #expect(try await test.sql("select count(*) from run") == ["40"])
      #expect(try await test.sql("select count(*) from unfolded_event") == ["0"])
    }
  }

  @Test func `no segment is emptied while a large transaction is folded`() async throws {
    try await with { test, folder in
      try await load("bulk", 100, test)
      while try await folder.fold(10) == 0 {}
      try await test.sql(
        "update event_segment set current = 1, rotated_at = now() - interval '1 hour'")
      try await folder.queue.rotate()
      #expect(try await test.sql("select count(*) from event_0") == ["100"])
      while folder.hasMore { _ = try await folder.fold(10) }
      try await folder.queue.rotate()
      #expect(try await test.sql("select count(*) from event_0") == ["0"])
    }
  }

  /// The log contains 5,000 dispatched events, a large transaction and 20 small transactions.
  @Test(.sampled()) func `a fold of ten events reads a limited number of other events`()
    async throws
  {
    try await with { test, folder in
      try await test.sql(
        "insert into event_0 (topic, key) select 'none', n::text from generate_series(1, 5000) n")
      try await test.sql(
        """
        insert into event_position (snapshot, epoch)
        select pg_current_snapshot(), epoch from event_position order by id desc limit 1
        """)
      try await load("bulk", 5000, test)
      for n in 1...20 { try await test.sql("select enqueue('digest', 'other\(n)')") }
      var (most, found) = (0, [String]())
      for piece in 0..<300 where found.isEmpty {
        _ = try await folder.fold(10)
        guard piece.isMultiple(of: 10) else { continue }
        most = max(most, try await rows(of: SQL.Queue.advanceBacklog, "(10, false)", test))
        let poll = "(null, null, null, null, null, null, null, true)"
        most = max(most, try await rows(of: SQL.Queue.poll, poll, test))
        found = try await test.sql("select key from run where key = 'other20'")
      }
      #expect(found == ["other20"])
      print("rows of a fold of ten events: \(most)")
      #expect(most < 10_000)
    }
  }

  /// Returns the number of rows that pass through the plan of a statement, which is rolled back.
  func rows(
    of statement: Statement, _ values: String, _ test: JobTest
  ) async throws -> Int {
    let connection = try await test.connect()
    let lines: [String] = try await connection.rolledBack(in: test.schema) {
      try await connection.script(
        Statement(
          "test/prepare",
          """
          set local plan_cache_mode = force_generic_plan;
          set local enable_seqscan = off;
          set local baton.has_cursor = 'yes';
          prepare planned as \(statement.text)
          """))
      let explain = Statement(
        "test/explain", "explain (analyze, costs off, timing off) execute planned \(values)")
      let lines: [String] = try await connection.run(
        .rows(explain) { (row) throws(PostgresError) in try row.decode(String.self) })
      return lines
    }
    await connection.close()
    return try TestSchema.rows(in: lines)
  }

  /// Random transactions of all sizes.
  ///
  /// Some of them stay open, and some are rolled back.
  @Test(.sampled(), arguments: 1...6)
  func `each event is folded once, and those of a key in their order`(round: Int) async throws {
    let random = Randomness()
    for _ in 0..<round { _ = random.number(in: 0..<10) }
    try await with { test, folder in
      var open: [Connection] = []
      var number = 0
      try await test.sql("create table seen (id bigint primary key, step integer)")
      for step in 0..<60 {
        switch random.number(in: 0..<11) {
        case 0...3:
          let size =
            random.number(in: 0..<4) == 0 ? random.number(in: 20..<80) : random.number(in: 1..<4)
          let calls = (0..<size).map { _ in
            number += 1
            return
              "select enqueue('digest', 'k\(random.number(in: 0..<25))', '{\"text\": \"\(number)\"}');"
          }
          // The numbers of concurrent transactions are interleaved.
          guard open.isEmpty || random.number(in: 0..<2) == 0 else {
            let connection = open[random.number(in: 0..<open.count)]
            try await connection.script(Statement("test/more", calls.joined()))
            break
          }
          let connection = try await test.connect()
          try await connection.script(
            Statement(
              "test/begin",
              "begin; set local search_path to \(test.schema.name);\n\(calls.joined())"))
          open.append(connection)
        case 4...6 where !open.isEmpty:
          let connection = open.remove(at: random.number(in: 0..<open.count))
          let end = random.number(in: 0..<6) == 0 ? "rollback" : "commit"
          try await connection.script(Statement("test/end", end))
          await connection.close()
        case 10:
          // The log is read over all segments, and its order does not depend on the segments.
          try await test.sql("update event_segment set current = (current + 1) % 3")
        default:
          let limit = Int64(random.number(in: 4..<12))
          if random.number(in: 0..<2) == 0 {
            _ = try await folder.fold(limit)
          } else {
            // A worker that has not seen the last position may use the statements for another
            // position.
            try await folder.fold(limit, inPieces: random.number(in: 0..<2) == 0)
          }
        }
        try await expectOrder(test, after: step)
      }
      for connection in open {
        try await connection.script(Statement("test/end", "commit"))
        await connection.close()
      }
      repeat { _ = try await folder.fold(7) } while folder.hasMore
      try await expectOrder(test, after: 60)
      #expect(try await test.sql("select count(*) from unfolded_event") == ["0"])
      #expect(
        try await test.sql(
          """
          select count(*) from event e
          full join run_payload p on p.id = e.id and p.key = e.key and p.payload = e.payload
          where e.id is null or p.id is null
          """) == ["0"])
    }
  }

  /// Records which events became visible, and checks that no event waits after a newer event with
  /// the same key.
  ///
  /// An event that became visible after the newer event may be dispatched after it.
  private func expectOrder(_ test: JobTest, after step: Int) async throws {
    try await test.sql(
      """
      insert into seen select id, \(step) from event where id not in (select id from seen)
      """)
    let wrong = try await test.sql(
      """
      select e.id, newer.id, e.key
      from event e
      join seen s using (id)
      join run_payload newer on newer.key = e.key and newer.id > e.id
      join seen n on n.id = newer.id
      where s.step <= n.step and not exists (select from run_payload p where p.id = e.id)
      """)
    #expect(wrong == [])
  }
}

/// Folds with a limit, and records whether events remain.
final class PieceFolder {
  let queue: Queue
  private(set) var hasMore = false

  init(queue: Queue) { self.queue = queue }

  func fold(_ limit: Int64) async throws -> Int {
    let folded = try #require(try await queue.fold(atMost: limit))
    hasMore = folded.hasMore
    return folded.events
  }

  /// Folds with the statements for a complete log or for a backlog, whatever the log contains.
  func fold(_ limit: Int64, inPieces: Bool) async throws {
    _ = try await queue.session.atomically(
      QueueCalls.lockCursor, QueueCalls.advance(atMost: limit, inPieces: inPieces),
      QueueCalls.fold(atOnce: false, inPieces: inPieces))
  }
}
