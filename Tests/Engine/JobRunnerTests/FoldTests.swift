import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

@Suite(.bothWaysAtFullSize) struct FoldTests {
  @Test func `events of one key become one run`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "a", "b")
      try await queue.write("a")
      let folded = try await queue.queue.fold()
      #expect(folded?.events == 4)
      #expect(
        try await queue.test.sql("select key, state from run order by key") == [
          "a,ready", "b,ready",
        ])
    }
  }

  @Test func `a run is due after the quiet time, but no later than at most after the first event`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.fold()
      try await queue.test.sql(
        "update run set first_event_at = now() - interval '1900 ms', last_event_at = now() - interval '1800 ms'"
      )
      try await queue.write("a")
      _ = try await queue.queue.fold()
      let due = try await queue.test.sql("select due = first_event_at + interval '2 s' from run")
      #expect(due == ["t"])
      try await queue.write("b")
      _ = try await queue.queue.fold()
      let quiet = try await queue.test.sql(
        "select due = last_event_at + interval '200 ms' from run where key = 'b'")
      #expect(quiet == ["t"])
    }
  }

  @Test func `an event that an older transaction commits late is folded, and only once`()
    async throws
  {
    try await NoteQueue.with { queue in
      let late = try await queue.test.connect()
      try await late.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(appendEvent, ["late"]))
        try await queue.write("early")
        #expect(try await queue.queue.fold()?.events == 1)
        #expect(try await queue.queue.fold()?.events == 0)
      }
      #expect(try await queue.queue.fold()?.events == 1)
      #expect(try await queue.queue.fold()?.events == 0)
      #expect(try await queue.count("run") == 2)
      await late.close()
    }
  }

  @Test(.sampled())
  func `every event is folded exactly once while many write and many fold`() async throws {
    try await NoteQueue.with { queue in
      let folded = try await withThrowingTaskGroup(of: Int.self) { group in
        for writer in 0..<4 {
          group.addTask {
            let connection = try await queue.test.connect()
            for n in 0..<100 {
              try await connection.atomically(
                in: queue.test.schema, .run(appendEvent, ["w\(writer)-\(n % 7)"]))
            }
            await connection.close()
            return 0
          }
        }
        for _ in 0..<4 {
          group.addTask {
            let connection = try await queue.test.connect()
            let own = Queue(Session(connection, in: queue.test.schema))
            var events = 0
            for _ in 0..<150 { events += try await own.foldAtOnce().events }
            await connection.close()
            return events
          }
        }
        return try await group.reduce(0, +)
      }
      let rest = try await queue.queue.foldAtOnce().events
      #expect(folded + rest == 400)
    }
  }

  @Test func `an event for a job asks for that job by name, and one for nobody is passed over`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.test.sql("select append_events('enqueue/note', array['x'])::text")
      try await queue.test.sql("select append_events('unheard.of', array['y'])::text")
      _ = try await queue.queue.fold()
      #expect(try await queue.test.sql("select key from run") == ["x"])
      #expect(try await queue.queue.pendingWork().hasEvents == false)
    }
  }

  @Test func `the newest payload of a key is the run's`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        "insert into event_0 (topic, key, payload, recorded_at) values ('note.written', 'a', '{\"n\": 1}', now() - interval '1 s'), ('note.written', 'a', '{\"n\": 2}', now()), ('note.written', 'a', null, now() + interval '1 ms')"
      )
      _ = try await queue.queue.fold()
      #expect(try await queue.test.sql("select payload->>'n' from run") == ["2"])
    }
  }

  @Test func `newer events neither reset the attempts nor skip the backoff of a run`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.fold()
      try await queue.test.sql(
        "update run set attempt = 2, due = now() + interval '1 hour', backoff_until = now() + interval '1 hour'"
      )
      try await queue.write("a")
      _ = try await queue.queue.fold()
      let kept = try await queue.test.sql(
        "select attempt, due > now() + interval '59 min' from run")
      #expect(kept == ["2,t"])
    }
  }

  @Test func `an event that commits while its key runs makes a ready run that waits for it`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let claimed = try await queue.claim()
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      #expect(claimed.count == 1)
      #expect(
        try await queue.test.sql("select state from run order by state") == ["ready", "running"])
      #expect(try await queue.claim().isEmpty)
    }
  }

  @Test func `a fold does not wait for the disk, a reclaim does`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql(
        "create table seen (n bigint generated always as identity primary key, how text)")
      try await queue.test.sql(
        """
        create function see() returns trigger language plpgsql set search_path from current as $$
        begin
          insert into seen (how) values (current_setting('synchronous_commit'));
          return null;
        end $$
        """)
      try await queue.test.sql(
        "create trigger see after insert on run for each statement execute function see()")
      try await queue.write("a")
      _ = try await queue.queue.fold()
      try await queue.write("a")
      _ = try await queue.queue.tryFold()
      _ = try await queue.queue.reclaim()
      #expect(try await queue.test.sql("select how from seen order by n") == ["off", "off", "on"])
    }
  }
}

let appendEvent = Statement("test/append", "select append_events('note.written', $1)")
