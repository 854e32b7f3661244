import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests events that wait for earlier events of their keys in a large transaction.
extension FoldPieceTests {
  /// The transaction is dispatched in pieces of 1,000 events.
  ///
  /// Each of its last 1,000 keys has six later events. After five pieces, 5,000 of the later events
  /// are deferred.
  @Test(.sampled()) func `at most 5,000 events wait for a large transaction, and none is lost`()
    async throws
  {
    try await with { test, folder in
      try await load("bulk", 8_000, test)
      // These transactions are not large, so that their events are read together.
      for first in stride(from: 0, to: 6_000, by: 250) {
        try await test.sql(
          """
          select count(enqueue('digest', 'bulk' || (7001 + n % 1000),
            jsonb_build_object('text', n::text)))
          from generate_series(\(first), \(first + 249)) n
          """)
      }
      var (events, deferred) = (0, [Int]())
      repeat {
        events += try await folder.fold(1_000)
        deferred += try await test.sql(
          """
          select coalesce(cardinality(deferred), 0) from event_position order by id desc limit 1
          """
        ).compactMap { Int($0) }
        let early = try await test.sql(
          """
          select count(*) from event e
          join run_payload newer on newer.key = e.key and newer.id > e.id
          where not exists (select from run_payload p where p.id = e.id)
          """)
        #expect(early == ["0"], "events that were dispatched before an earlier event of their key")
      } while folder.hasMore
      // In two further pieces, the position does not move, and only the transaction is dispatched.
      #expect(deferred.max() == 5_000)
      #expect(deferred.filter { $0 == 5_000 }.count == 3, "\(deferred)")
      #expect(events == 14_000)
      #expect(
        try await test.sql(
          """
          select count(*), count(distinct p.key) from run_payload p
          join event e on e.id = p.id and e.key = p.key and e.payload = p.payload
          """) == ["14000,8000"])
      #expect(
        try await test.sql(
          """
          select base is null and partial is null and deferred is null
          from event_position order by id desc limit 1
          """) == ["t"])
      #expect(try await test.sql("select count(*) from unfolded_event") == ["0"])
    }
  }

  /// Each load has a quarter of a piece's events.
  @Test func `a later event does not wait for four bulk loads that write at the same time`()
    async throws
  {
    try await with { test, folder in
      let loads = try await concurrentLoads(of: 4, test)
      for part in 0..<40 {
        for (number, load) in loads.enumerated() {
          let call = "select enqueue('digest', '\(number).' || \(part) || '.' || n)"
          try await load.script(Statement("test/load", "\(call) from generate_series(1, 5) n"))
        }
      }
      for load in loads { try await load.script(Statement("test/commit", "commit")) }
      #expect(try await folder.fold(20) == 0)
      try await test.sql("select enqueue('digest', 'late')")
      for _ in 1...4 { _ = try await folder.fold(20) }
      #expect(try await test.sql("select count(*) from run where key = 'late'") == ["1"])
      #expect(try await test.count("run") < 200)
      while folder.hasMore { _ = try await folder.fold(20) }
      #expect(try await test.count("run") == 801)
      for load in loads { await load.close() }
    }
  }

  private func concurrentLoads(of count: Int, _ test: JobTest) async throws -> [Connection] {
    var loads: [Connection] = []
    for _ in 0..<count {
      let connection = try await test.connect()
      try await connection.script(
        Statement("test/begin", "begin; set local search_path to \(test.schema.name)"))
      loads.append(connection)
    }
    return loads
  }

  /// The transaction has 30 events, which are dispatched in three pieces.
  @Test func `a transaction of few pieces is complete before the end of the backlog`()
    async throws
  {
    try await with { test, folder in
      try await load("bulk", 30, test)
      for n in 1...80 { try await test.sql("select enqueue('digest', 'small\(n)')") }
      var states: [String] = []
      repeat {
        _ = try await folder.fold(10)
        states += try await test.sql(
          """
          select base is not null, partial is not null from event_position
          order by id desc limit 1
          """)
      } while folder.hasMore
      let first = try #require(states.firstIndex(of: "t,t"))
      #expect(states[first...].contains("t,f"), "\(states)")
      #expect(try await test.sql("select count(*) from run") == ["110"])
      #expect(try await test.sql("select count(*) from unfolded_event") == ["0"])
    }
  }

  /// Later events have ten keys of the transaction.
  ///
  /// Five of the keys have no undispatched events in the transaction. Each key has at least 300
  /// dispatched events.
  @Test func `a fold reads a limited number of events of each key`() async throws {
    try await with { test, folder in
      try await test.sql(
        """
        insert into event_0 (topic, key, payload)
        select 'enqueue/digest',
          case when n < 2500 then 'early' || n / 500 else 'late' || n % 5 end, '{}'
        from generate_series(0, 4999) n
        """)
      for _ in 1...7 { _ = try await folder.fold(1_000) }
      #expect(folder.hasMore)
      try await test.sql(
        """
        select count(
          enqueue('digest', case when n < 50 then 'early' else 'late' end || n % 5, '{}'))
        from generate_series(0, 99) n
        """)
      let read = try await rows(of: SQL.Queue.advanceBacklog, "(100, false)", test)
      print("rows of a fold beside ten keys with many events: \(read)")
      #expect(read < 13_000)
      while folder.hasMore { _ = try await folder.fold(1_000) }
      #expect(try await test.sql("select count(*) from run_payload") == ["5100"])
      #expect(try await test.sql("select count(*) from unfolded_event") == ["0"])
    }
  }

  /// The last event of the key is between dispatched events of the key in the table.
  ///
  /// The fold reads 50 events of the key, and all of them are dispatched. The next events by number
  /// have another key.
  @Test func `an event waits if the large transaction has many events of its key`() async throws {
    try await with { test, folder in
      try await test.sql("select setval('event_id_seq', 10000)")
      try await test.sql(
        """
        insert into event_0 (id, topic, key, payload)
        select 9000 + case when n = 150 then 500 else n end, 'enqueue/digest',
          case when n < 300 then 'a' else 'b' end, '{}'
        from generate_series(0, 399) n
        """)
      var events = 0
      while events < 330 { events += try await folder.fold(10) }
      try await test.sql("select enqueue('digest', 'a', '{\"text\": \"new\"}')")
      _ = try await folder.fold(10)
      #expect(
        try await test.sql(
          "select cardinality(deferred) from event_position order by id desc limit 1") == ["1"])
      while folder.hasMore { _ = try await folder.fold(10) }
      #expect(
        try await test.sql("select count(*) from run_payload where key = 'a'") == ["301"])
      #expect(try await test.sql("select count(*) from unfolded_event") == ["0"])
    }
  }

  @Test func `a cancellation request does not read the backlog`() async throws {
    try await with { test, folder in
      try await load("bulk", 2_000, test)
      while try await folder.fold(100) == 0 {}
      try await test.sql(
        "select cancel_run(run_id, 'digest', key) from event where key = 'bulk1900'")
      let read = try await rows(of: SQL.Queue.listRequested, "(100, 0)", test)
      print("rows of a list of requests beside a backlog: \(read)")
      #expect(read < 100)
      try await folder.queue.cancelRequested()
      #expect(try await test.count("cancel_request") == 1)
      while folder.hasMore { _ = try await folder.fold(1_000) }
      try await folder.queue.cancelRequested()
      #expect(try await test.count("cancel_request") == 0)
      #expect(try await test.sql("select count(*) from run") == ["1999"])
    }
  }
}
