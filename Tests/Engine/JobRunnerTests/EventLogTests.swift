import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

@Suite(.bothWaysAtFullSize) struct EventLogTests {
  @Test func `used-up segments are emptied and writers move on`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      try await queue.makeSegmentOld()
      try await queue.queue.rotate()
      try await queue.write("b")
      #expect(
        try await queue.test.sql("select segment, key from event order by 1") == ["0,a", "1,b"])
      try await queue.makeSegmentOld()
      try await queue.queue.rotate()
      #expect(try await queue.test.sql("select segment, key from event") == ["1,b"])
      #expect(try await queue.queue.fold()?.events == 1)
    }
  }

  @Test func `a segment with an event that is not folded is never emptied`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      try await queue.test.sql(
        "update event_segment set current = 1, rotated_at = now() - interval '1 h'")
      #expect(try await queue.test.sql("select truncate_segment(0)") == ["f"])
      #expect(try await queue.queue.fold()?.events == 1)
      #expect(try await queue.test.sql("select truncate_segment(0)") == ["t"])
    }
  }

  @Test func `a segment that a writer has open is left alone, and nobody waits`() async throws {
    try await NoteQueue.with { queue in
      let writer = try await queue.test.connect()
      try await writer.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(appendEvent, ["open"]))
        #expect(try await queue.test.sql("select truncate_segment(0)") == ["f"])
      }
      #expect(try await queue.queue.fold()?.events == 1)
      await writer.close()
    }
  }

  @Test func `a log from another cluster is folded whole, whatever its transaction ids say`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("before")
      try await queue.test.sql(
        "update event_position set epoch = 1, snapshot = '9000000000:9000000000:'")
      try await queue.write("after")
      #expect(try await queue.queue.fold()?.events == 3)
      #expect(try await queue.count("event") == 0)
      try await queue.write("later")
      #expect(try await queue.queue.fold()?.events == 1)
      #expect(
        try await queue.test.sql("select key from run order by 1") == ["after", "before", "later"])
    }
  }

  /// In the other cluster, all transaction ids of the log count as dispatched.
  @Test func `a drain folds a log from another cluster`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      try await queue.test.sql(
        "update event_position set epoch = 1, snapshot = '9000000000:9000000000:'")
      try await queue.drain()
      #expect(try await queue.test.sql("select key from noted") == ["a"])
    }
  }

  @Test func `a segment of another cluster's log is not emptied before it is folded`() async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      try await queue.test.sql("update event_segment set current = 1")
      try await queue.makeSegmentOld()
      try await queue.test.sql(
        "update event_position set epoch = 1, snapshot = '9000000000:9000000000:'")
      try await queue.queue.rotate()
      #expect(try await queue.count("event") == 1)
      #expect(try await queue.queue.fold()?.events == 2)
    }
  }
}

extension NoteQueue {
  fileprivate func makeSegmentOld() async throws {
    try await test.sql("update event_segment set rotated_at = now() - interval '2 min'")
  }
}
