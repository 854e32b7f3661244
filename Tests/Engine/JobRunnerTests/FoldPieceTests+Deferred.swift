import JobTesting
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
}
