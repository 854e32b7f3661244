import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the trace from a request to a run, in SQL, and for clients without a tracer.
@Suite struct EventTraceTests {
  private func place(_ number: Int) -> SpanPlace {
    SpanPlace(
      trace: String(repeating: "a", count: 31) + "\(number)",
      id: String(repeating: "b", count: 15) + "\(number)")
  }

  /// Writes an event for the key, in a transaction that has set the given traceparent.
  private func write(_ key: String, _ traceparent: String, _ test: JobTest) async throws {
    try await test.sql(
      """
      with trace as materialized (select set_config('baton.traceparent', '\(traceparent)', true) as text)
      select enqueue('digest', '\(key)', jsonb_build_object('text', left(text, 1)))::text from trace
      """)
  }

  private func traces(_ test: JobTest) async throws -> [String] {
    try await test.sql(
      "select replace(coalesce(trace, '-'), ' ', '/') from run order by key, state")
  }

  @Test func `the first event's stands first, the others behind it, of several folds too`()
    async throws
  {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      for (number, key) in [(3, "a"), (1, "a"), (2, "b")] {
        try await write(key, place(number).traceparent, test)
      }
      // The cases have no traceparent, an invalid traceparent, and one with additional text.
      try await test.sql("select enqueue('digest', 'c')::text")
      for wrong in ["nonsense", place(4).traceparent + "-more", "00-xyz"] {
        try await write("c", wrong, test)
      }
      _ = try await queue.fold()
      let first = "\(place(3).traceparent)/\(place(1).traceparent)"
      // Text after a traceparent is removed.
      let found = try await traces(test)
      #expect(
        found == [first, place(2).traceparent, place(4).traceparent])
      for _ in 1...9 { try await write("a", place(5).traceparent, test) }
      _ = try await queue.fold()
      let eight = ([first] + Array(repeating: place(5).traceparent, count: 6))
        .joined(separator: "/")
      #expect(try await traces(test).first == eight)
      // The call replaces all earlier calls.
      try await test.sql(
        """
        with trace as materialized (
          select set_config('baton.traceparent', '\(place(6).traceparent)', true) as text)
        select enqueue('digest', 'a', run_at => now(), replace => text <> '')::text from trace
        """)
      _ = try await queue.fold()
      #expect(try await traces(test).first == place(6).traceparent)
      await connection.close()
    }
  }

  @Test(.sampled()) func `a run that comes back keeps them, ahead of those of the one it meets`()
    async throws
  {
    try await NoticeBoard.with { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      let job = DigestJob.registered.definition
      for isMet in [false, true] {
        try await write("a", place(1).traceparent, test)
        _ = try await queue.fold()
        let identity = WorkerIdentity()
        let claimed = try await queue.session.claim(
          job, QueueCalls.claimKey(job, key: "a", token: UUID(), worker: identity.id))
        #expect(claimed.map(\.trace) == [RunTrace(place(1).traceparent)])
        if isMet {
          try await write("a", place(2).traceparent, test)
          _ = try await queue.fold()
        }
        try await queue.releaseUnknown(to: identity)
        let both = (isMet ? [1, 2] : [1]).map { place($0).traceparent }.joined(separator: "/")
        let found = try await traces(test)
        #expect(found == [both])
        #expect(try await test.drain() == 0)
      }
      await connection.close()
    }
  }

  @Test
  func `without a tracer what a run writes belongs to its trace, what a batch writes to none`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        """
        create function pass_on() returns trigger language plpgsql set search_path from current as $$
        begin
          perform append_events('passed.on', array[new.key]);
          return null;
        end $$
        """)
      try await queue.test.sql(
        "create trigger pass_on after insert on noted for each row execute function pass_on()")
      let executor = try await queue.executor()
      for keys in [["a"], ["b", "c"]] {
        for key in keys {
          try await queue.test.sql(
            """
            with trace as materialized (
              select set_config('baton.traceparent', '\(place(1).traceparent)', true) as text)
            select append_events('note.written', array['\(key)'])::text from trace where text <> ''
            """)
        }
        _ = try await queue.queue.foldAtOnce()
        #expect(try await executor.workOnce(queue.job))
      }
      #expect(
        try await queue.test.sql(
          "select key, trace from event where topic = 'passed.on' order by key")
          == ["a,\(place(1).traceparent)", "b,", "c,"])
    }
  }
}
