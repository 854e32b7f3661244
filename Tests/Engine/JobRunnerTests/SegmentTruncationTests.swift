import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests the cost of emptying a segment of the event log, and the segments that must not be
/// emptied.
@Suite struct SegmentTruncationTests {
  /// The time under the lock, which blocks all writers of the segment, does not grow with the rows.
  @Test(.sampled()) func `a segment with many rows is emptied as cheaply as one with few`()
    async throws
  {
    try await NoteQueue.with { queue in
      var pages: [Int] = []
      for count in [100, 50_000] {
        try await queue.test.sql(
          "insert into event_0 (topic, key) select 'note.written', 'k' from generate_series(1, \(count))"
        )
        _ = try await queue.queue.fold()
        let connection = try await queue.test.connect()
        pages.append(
          try await connection.pages(
            ofCall: "truncate_segment(0)", in: queue.test.schema, atMost: (pages.first ?? 0) + 100))
        await connection.close()
      }
      #expect(pages[1] <= pages[0] + 100, "\(pages)")
    }
  }

  @Test func `an event that commits between the look and the lock is not emptied`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("folded")
      _ = try await queue.queue.fold()
      // The first check waits at a gate after it has taken its snapshot, so that an event can
      // commit after the snapshot.
      try await queue.test.sql(
        """
        create function commit_between() returns boolean language plpgsql as $$
        begin
          perform pg_advisory_xact_lock_shared(77);
          while not pg_try_advisory_xact_lock_shared(78) loop perform pg_sleep(0.002); end loop;
          return true;
        end $$
        """)
      let gate = try await queue.test.connect()
      try await gate.run(.count(Statement("test/close_gate", "select pg_advisory_lock(78)")))
      let position = try await queue.test.sql("select id from event_position")
      #expect(position.count == 1)
      // The check reads the position, so the gate replaces the position's table.
      try await queue.test.sql("alter table event_position rename to stored_position")
      try await queue.test.sql(
        "create view event_position as select id, snapshot, epoch, set_by from stored_position "
          + "where (select commit_between())")
      let emptying = Task { try await queue.test.sql("select truncate_segment(0)") }
      try await eventually("the look at the gate") {
        try await queue.test.sql(
          """
          select count(*) from pg_locks l join pg_database d on d.oid = l.database
          where l.locktype = 'advisory' and l.objid = 77 and d.datname = current_database()
          """) == ["1"]
      }
      try await queue.write("late")
      await gate.close()
      #expect(try await emptying.value == ["f"])
      #expect(
        try await queue.test.sql("select key from event_0 order by id") == ["folded", "late"])
    }
  }
}
