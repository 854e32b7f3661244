import BatonJobs
import BatonPostgres
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Tests the lock that shows writers that a worker is awake, without any worker: which session gets
/// the lock, and which session notifies.
@Suite(.timeLimit(.minutes(5))) struct PollingLockTests {
  /// Calls the body with a queue whose worker is recorded as listening.
  ///
  /// Another session receives its messages, and a third session may be awake.
  private func withListener(
    _ body: (NoteQueue, Session, Connection) async throws -> Void
  ) async throws {
    try await NoteQueue.with { queue in
      let listener = try await queue.test.listener()
      let worker = Session(try await queue.test.connect(), in: queue.test.schema)
      try await queue.test.sql("update event_segment set has_listener = true")
      try await body(queue, worker, listener)
      await listener.close()
      await worker.connection.close()
    }
  }

  private func stayAwake(_ session: Session) async throws -> Bool {
    try await session.atomically(QueueCalls.stayAwake)
  }

  private func endAwake(_ session: Session) async throws {
    try await session.atomically(.run(SQL.Workers.endAwake))
  }

  @Test(
    .sampled(),
    arguments: [
      "select append_events('note.written', array['a'])::text", "select enqueue('note', 'a')",
      "select enqueue_many('note', '[{\"key\": \"a\"}]')", "insert into parcel values (1, null)",
      "update parcel set status = 2",
    ])
  func `a write wakes workers, unless one is awake`(write: String) async throws {
    try await withListener { queue, worker, listener in
      try await queue.declareParcels()
      #expect(try await stayAwake(worker))
      try await queue.test.sql(write)
      #expect(try await listener.hears() == [])
      try await endAwake(worker)
      // The same statement again also changes rows.
      try await queue.test.sql(write.replacing("(1,", with: "(2,").replacing("= 2", with: "= 3"))
      #expect(try await listener.hears() == [""])
    }
  }

  @Test func `a transaction of many writes notifies once`() async throws {
    try await withListener { queue, _, listener in
      try await queue.test.sql(
        "select append_events('note.written', array[n::text])::text from generate_series(1, 50) n")
      #expect(try await listener.hears() == [""])
    }
  }

  @Test func `one worker at a time is awake`() async throws {
    try await withListener { queue, worker, _ in
      let other = Session(try await queue.test.connect(), in: queue.test.schema)
      #expect(try await stayAwake(worker))
      #expect(try await !stayAwake(other))
      #expect(
        try await queue.test.sql(
          "select mode from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())"
        ) == ["ShareLock"])
      try await endAwake(worker)
      #expect(try await stayAwake(other))
      await other.connection.close()
    }
  }

  /// Returns the number of advisory locks in the test's database.
  private func locks(_ queue: NoteQueue) async throws -> Int {
    try await queue.count(
      """
      pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())
      """)
  }

  @Test func `the time of a poll is part of the pause after a dispatch`() async throws {
    var lock = PollingLock(longestPause: .seconds(3600))
    let began = ContinuousClock.now
    lock.folded(Folded(events: 1, runs: 1, jobs: [], dueJobs: []))
    let folded = ContinuousClock.now
    // The sleep takes the place of a poll.
    try await Task.sleep(for: .milliseconds(3))
    let (end, pause) = (lock.pauseEnd, lock.pause)
    #expect(end >= began + pause && end <= max(folded + pause, .now + pause / 2))
    // After a long poll, half of the pause remains.
    try await Task.sleep(for: .milliseconds(20))
    let now = ContinuousClock.now
    #expect(lock.pauseEnd >= now + pause / 2)
  }

  /// While a worker is awake, each run waits for a poll, because writers send no wake-ups.
  @Test func `a worker does not stay awake for a transaction of many events`() async throws {
    try await withListener { queue, worker, _ in
      let own = Queue(worker)
      var lock = PollingLock(longestPause: .seconds(3600))
      lock.folded(Folded(events: 100, runs: 1, jobs: [], dueJobs: []))
      _ = try await lock.poll(own, hasFolded: false)
      #expect(try await locks(queue) == 1)
      for _ in 1...2 { _ = try await lock.poll(own, hasFolded: false) }
      #expect(try await locks(queue) == 0)
    }
  }

  @Test func `a worker stays awake while each pass finds events`() async throws {
    try await withListener { queue, worker, _ in
      let own = Queue(worker)
      var lock = PollingLock(longestPause: .seconds(3600))
      for _ in 1...10 {
        lock.folded(Folded(events: 100, runs: 1, jobs: [], dueJobs: []))
        _ = try await lock.poll(own, hasFolded: true)
        lock.folded(Folded(events: 100, runs: 1, jobs: [], dueJobs: []))
        _ = try await lock.poll(own, hasFolded: false)
      }
      #expect(try await locks(queue) == 1)
    }
  }

  /// Without this release, no writer would send wake-ups until the session ends.
  @Test func `after a failed statement, the next poll releases the lock`() async throws {
    try await withListener { queue, worker, _ in
      let (own, dense) = (Queue(worker), Folded(events: 100, runs: 1, jobs: [], dueJobs: []))
      var lock = PollingLock(longestPause: .seconds(3600))
      lock.folded(dense)
      _ = try await lock.poll(own, hasFolded: false)
      #expect(try await locks(queue) == 1)
      // Another statement of the pass has failed.
      lock.forget()
      _ = try await lock.poll(own, hasFolded: false)
      #expect(try await locks(queue) == 0)
      // The statement that takes the lock succeeds, and the poll in the same round trip fails.
      try await worker.connection.script(Statement("test/limit", "set lock_timeout = '20ms'"))
      lock.folded(dense)
      try await queue.test.holding("lock table job") { _ in
        await expectSQLState("55P03") { _ = try await lock.poll(own, hasFolded: false) }
      }
      lock.forget()
      _ = try await lock.poll(own, hasFolded: false)
      #expect(try await locks(queue) == 0)
    }
  }

  @Test func `who dies while it is awake leaves the lock to others`() async throws {
    try await withListener { queue, worker, listener in
      #expect(try await stayAwake(worker))
      let other = Session(try await queue.test.connect(), in: queue.test.schema)
      let pid = await worker.connection.backend.pid
      try await queue.test.sql("select pg_terminate_backend(\(pid), 10000)")
      try await queue.write("a")
      #expect(try await listener.hears() == [""])
      #expect(try await stayAwake(other))
      await other.connection.close()
    }
  }

  @Test func `behind a writer that is open nobody waits, and nobody else notifies`() async throws {
    try await withListener { queue, worker, listener in
      let writer = try await queue.test.connect()
      try await writer.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(appendEvent, ["a"]))
        // Each of these statements would wait for the lock, and the test would wait as well.
        #expect(try await !stayAwake(worker))
        try await queue.write("b")
        #expect(try await listener.hears() == [])
        #expect(try await queue.queue.fold()?.events == 1)
      }
      #expect(try await listener.hears() == [""])
      #expect(try await stayAwake(worker))
      await writer.close()
    }
  }

  @Test func `a write that is rolled back wakes nobody and leaves the lock`() async throws {
    try await withListener { queue, worker, listener in
      let error = await #expect(throws: PostgresError.self) {
        try await queue.test.sql(
          "select append_events('note.written', array['a'])::text, 1 / (select count(*) from run)")
      }
      #expect(error?.sqlState == "22012")
      let (heard, isAwake) = (try await listener.hears(), try await stayAwake(worker))
      #expect(heard == [] && isAwake)
    }
  }

  @Test(arguments: ["has_listener", "may_wake"])
  func `where nobody listens, or may be woken, no write tries`(column: String) async throws {
    try await withListener { queue, worker, listener in
      try await queue.test.sql("update event_segment set \(column) = false")
      let held = try await queue.test.sql(
        """
        select count(*) from (select append_events('note.written', array['a'])::text offset 0) w,
          pg_locks where locktype = 'advisory' and pid = pg_backend_pid()
        """)
      #expect(held == ["0"])
      #expect(try await listener.hears() == [])
      // A session that may not wake workers does not stay awake either, as if there were no lock.
      #expect(try await stayAwake(worker) == (column == "has_listener"))
    }
  }

  @Test(.sampled()) func `schemas of one database do not wake each other`() async throws {
    try await TestSchema.besideEachOther { one, two in
      let hearing = (try await one.listener(), try await two.listener())
      for schema in [one, two] {
        try await schema.sql("update event_segment set has_listener = true")
      }
      let worker = Session(try await one.connect(), in: one.schema)
      #expect(try await stayAwake(worker))
      // If a worker of the first schema is awake, the writers of the second schema do not know
      // about it.
      try await two.sql("select append_events('t', array['a'])::text")
      #expect(try await hearing.1.hears() == [""])
      #expect(try await hearing.0.hears() == [])
      for connection in [worker.connection, hearing.0, hearing.1] { await connection.close() }
    }
  }
}

extension TestSchema {
  /// Returns a connection that receives the wake-ups for workers of this schema.
  func listener() async throws -> Connection {
    let connection = try await connect()
    try await connection.atomically(in: schema, .run(SQL.Workers.listen))
    return connection
  }
}

extension Connection {
  /// Returns the messages of transactions that have ended.
  func hears() async throws -> [String] {
    // The server sends the result after all messages that it already had for this session.
    try await sql("select 1", in: .standard)
    return try await hear(until: .now)
  }
}

extension NoteQueue {
  /// Creates a table `parcel` with one row, which the job declares.
  func declareParcels() async throws {
    try await test.sql("create table parcel (n integer primary key, status integer)")
    try await test.sql("insert into parcel values (100)")
    let declared = TableDeclaration.of(
      "note", "parcel", on: .insert, .update(of: "status"), key: "n")
    _ = try await TableTriggers(test.schema, of: "shop", [declared]).migrate(connection)
  }
}
