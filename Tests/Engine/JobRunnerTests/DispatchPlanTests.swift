import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests what polls and dispatches read beside an open transaction and deferred events.
@Suite struct DispatchPlanTests {
  /// Returns the number of pages that each statement reads while a transaction with this number of
  /// events is open.
  ///
  /// A position lists the transactions of other tests that are open, and each of them costs some
  /// pages. If a number is higher than acceptable, the measurement is repeated with a new position.
  ///
  /// - Parameter most: the highest acceptable number for each statement, or nil for any number.
  private func pages(
    besideOpen events: Int, atMost most: [String: Int]? = nil
  ) async throws -> [String: Int] {
    var pages: [String: Int] = [:]
    let bulk = """
      insert into event_0 (topic, key) select 'none', n::text from generate_series(1, \(events)) n
      """
    try await NoteQueue.with { queue in
      try await queue.test.holding(bulk) { _ in
        for _ in 1...50 {
          // The next position lists the open transaction.
          try await queue.write("a")
          _ = try await queue.queue.fold()
          pages = try await self.pages(queue)
          guard let most, pages.contains(where: { $1 > most[$0, default: 0] }) else { break }
          try await Task.sleep(for: .milliseconds(100))
        }
      }
    }
    return pages
  }

  private func pages(_ queue: NoteQueue) async throws -> [String: Int] {
    [
      "poll": try await queue.test.pages(
        of: SQL.Queue.poll,
        "text[], integer[], timestamptz[], bigint[], timestamptz, text, integer, boolean",
        "'{}', '{}', '{}', '{}', null, 'notes', 1, true"),
      "advance_position": try await pages(of: SQL.Queue.advancePosition, queue),
      "advance_backlog": try await pages(of: SQL.Queue.advanceBacklog, queue),
      "read_folding": try await queue.test.pages(of: SQL.Observation.readFolding),
      "unfolded_event": try await queue.test.pages(
        of: Statement("test/unfolded", "select count(*) from unfolded_event")),
    ]
  }

  /// Returns the number of pages that a choice of new events reads.
  private func pages(of advance: Statement, _ queue: NoteQueue) async throws -> Int {
    let cursor: Call<Void> = .run(
      Statement("test/cursor", "select set_config('baton.has_cursor', 'yes', true)"))
    let lines = try await queue.test.explain(
      advance, "bigint, boolean", "4000, false",
      options: "analyze, buffers, costs off, timing off", as: cursor)
    return try TestSchema.pages(in: lines)
  }

  @Test(.sampled()) func `the events of an open transaction are not read`() async throws {
    let few = try await pages(besideOpen: 100)
    // If an index is one level deeper, a search reads one more page.
    let most = few.mapValues { $0 * 2 + 30 }
    let more = try await pages(besideOpen: 100_000, atMost: most)
    print("pages beside an open transaction of 100 events: \(few); of 100,000 events: \(more)")
    for (statement, pages) in most {
      #expect(more[statement, default: .max] <= pages, "\(statement)")
    }
  }

  /// A comparison of each event with each deferred event would take longer than the dispatch.
  @Test func `deferred events are searched in a hash table`() async throws {
    try await NoteQueue.with { queue in
      for (statement, types, values) in [
        (SQL.Queue.advanceBacklog, "bigint, boolean", "4000, false"),
        (SQL.Queue.foldBacklog, "boolean", "false"),
      ] {
        let plan = try await queue.test.explain(statement, types, values)
        let linear = plan.filter { $0.contains("id <> ALL") || $0.contains("ANY (w.ids)") }
        #expect(linear == [], "\(statement.name)")
      }
    }
  }
}
