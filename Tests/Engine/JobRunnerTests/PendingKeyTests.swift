import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests how a product reads the keys that still have work.
@Suite struct PendingKeyTests {
  private func pending(_ queue: NoteQueue) async throws -> [String] {
    try await queue.test.sql(
      """
      select key, kind from pending_key
      where job = 'note' or topic in ('note.written', 'enqueue/note') order by 1, 2
      """)
  }

  @Test func `a key is pending from its event to the end of its run, and while that is dead`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a", "bad")
      try await queue.test.sql("select append_events('note.lost', array['c'])::text")
      try await queue.test.sql("select enqueue('note', 'd')::text")
      #expect(try await pending(queue) == ["a,event", "bad,event", "d,event"])
      _ = try await queue.queue.foldAtOnce()
      #expect(try await pending(queue) == ["a,run", "bad,run", "d,run"])
      #expect(try await queue.claim().count == 3)
      #expect(try await pending(queue) == ["a,run", "bad,run", "d,run"])
      try await queue.write("a")
      #expect(try await pending(queue) == ["a,event", "a,run", "bad,run", "d,run"])
      // The claim had a worker id that does not exist.
      try await queue.drain()
      #expect(try await pending(queue) == ["bad,\"dead run\""])
    }
  }

  @Test func `who asks for one kind has the others left out of the plan`() async throws {
    try await NoteQueue.with { queue in
      let tables = ["event": "event_0", "run": " on run", "dead run": " on dead_run"]
      for kind in tables.keys {
        let asked = Statement(
          "test/pending",
          """
          select key from pending_key
          where \(kind == "event" ? "topic" : "job") = 'note' and kind = '\(kind)' and key = any ($1::text[])
          """)
        let plan = try await queue.test.explain(asked, "text[]", "'{a,b}'").joined(separator: "\n")
        for (other, table) in tables {
          #expect(plan.contains(table) == (other == kind), "\(kind): \(plan)")
        }
      }
    }
  }
}
