import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Tests the filters of `runs list`.
@Suite struct RunSearchTests {
  @Test func `each filter selects its runs, and filters combine`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        insert into worker (id, name, is_direct, pid)
        values ('00000000-0000-0000-0000-000000000001', 'one', false, 1)
        """)
      try await queue.test.sql(
        """
        insert into run (id, job, key, state, due, first_event_at, last_event_at, token, worker, last_error)
        values (1, 'note', 'a', 'ready', '2024-06-01Z', now(), now(), null, null, 'The disk is full'),
          (2, 'note', 'a', 'running', '2024-06-02Z', now(), now(), gen_random_uuid(),
            '00000000-0000-0000-0000-000000000001', null),
          (3, 'other', 'b', 'ready', '2024-06-03Z', now(), now(), null, null, null)
        """)
      try await queue.test.sql(
        """
        insert into dead_run (id, job, key, attempt, error, died_at)
        values (4, 'note', 'a', 3, 'no disk', '2024-06-04Z'), (5, 'other', 'a', 3, '100%', '2024-06-05Z')
        """)
      try await queue.test.sql(
        """
        insert into failed_attempt (run_id, job, key, attempt, worker, ended_at, error, is_snooze)
        values (4, 'note', 'a', 3, 'one', now(), 'no disk', false),
          (3, 'other', 'b', 1, 'one', now(), 'later', true)
        """)
      func ids(_ change: (inout RunSearch) -> Void) async throws -> [Int64] {
        var filter = RunSearch()
        change(&filter)
        return try await queue.queue.runs(filter, limit: 100).map(\.id)
      }
      #expect(try await ids { _ in } == [5, 4, 3, 2, 1])
      #expect(try await ids { $0.job = "note" } == [4, 2, 1])
      #expect(try await ids { $0.state = "dead" } == [5, 4])
      #expect(try await ids { $0.key = "a" } == [5, 4, 2, 1])
      #expect(try await ids { ($0.job, $0.key, $0.state) = ("note", "a", "ready") } == [1])
      #expect(try await ids { $0.since = Date(timeIntervalSince1970: 1_717_372_800) } == [5, 4, 3])
      #expect(try await ids { $0.until = Date(timeIntervalSince1970: 1_717_372_800) } == [2, 1])
      #expect(try await ids { $0.error = "DISK" } == [4, 1])
      #expect(try await ids { $0.error = "%" } == [5])
      #expect(try await ids { $0.worker = "one" } == [4, 2])
      #expect(try await ids { $0.worker = "two" } == [])
    }
  }
}
