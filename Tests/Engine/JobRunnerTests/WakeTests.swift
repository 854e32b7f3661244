import BatonJobs
import BatonPostgres
import RunnerSQL
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests workers that would not poll for an hour and are woken, and workers that are not woken and
/// poll.
@Suite(.timeLimit(.minutes(5))) struct WakeTests {
  /// Runs `body` together with workers, after all workers are registered.
  private func working(
    _ workers: [Worker], in queue: NoteQueue, _ body: () async throws -> Void
  ) async throws {
    try await running(workers) {
      try await eventually("the workers") { try await queue.count("worker") == workers.count }
      try await body()
    }
  }

  private func worker(
    _ job: RegisteredJob, in queue: NoteQueue, at configuration: ConnectionConfiguration? = nil,
    pause: Duration = .seconds(3600)
  ) -> Worker {
    var options = Worker.Options(concurrency: 1)
    options.longestPause = pause
    return Worker(
      [job], on: configuration ?? queue.test.configuration, schema: queue.test.schema,
      options: options, logger: .quiet)
  }

  private func awake(_ queue: NoteQueue) async throws -> Int {
    try await queue.count(
      "pg_locks where locktype = 'advisory' and mode = 'ShareLock' and database = (select oid from pg_database where datname = current_database())"
    )
  }

  @Test func `who reached the server works, though its first connection is ended at once`()
    async throws
  {
    try await NoteQueue.with { queue in
      let opened = Mutex(0)
      var configuration = queue.test.configuration
      configuration.whenOpened = { (connection) throws(PostgresError) in
        let isFirst = opened.withLock { count in
          count += 1
          return count == 1
        }
        guard isFirst else { return }
        try await connection.script(
          Statement("test/end", "select pg_terminate_backend(pg_backend_pid())"))
      }
      try await queue.write("a")
      try await working([worker(queue.job, in: queue, at: configuration)], in: queue) {
        try await eventually("the work") { try await queue.noted() == ["a"] }
      }
      #expect(opened.withLock { $0 } >= 3)
      // A session that waits for the end is notified.
      opened.withLock { $0 = 0 }
      let impatient = worker(queue.job, in: queue, at: configuration)
      let error = await #expect(throws: PostgresError.self) { try await impatient.runUntilIdle() }
      #expect(error?.sqlState.isTermination == true)
    }
  }

  @Test(.sampled()) func `a write wakes a worker that sleeps, again and again`() async throws {
    try await NoteQueue.with { queue in
      try await working([worker(queue.job, in: queue)], in: queue) {
        for n in 1...3 {
          try await eventually("a worker that sleeps") { try await awake(queue) == 0 }
          try await queue.write("k\(n)")
          try await eventually("the work of k\(n)") { try await queue.count("noted") == n }
        }
      }
      #expect(try await queue.test.sql("select has_listener from event_segment") == ["f"])
    }
  }

  @Test(.sampled()) func `a woken worker starts the run before its poll ends`() async throws {
    try await NoteQueue.with { queue in
      let job = RegisteredJob(PromptJob.self) { Notebook(transaction: $0) }
      try await queue.queue.define([job])
      try await working([worker(job, in: queue)], in: queue) {
        try await queue.write("k1")
        try await eventually("the work of k1") { try await queue.noted() == ["k1"] }
        // For 1 s after its work, the worker polls often. Such a poll would wait for the lock.
        try await eventually("a dispatcher that sleeps") {
          try await queue.count(
            """
            worker join pg_stat_activity a on a.pid = dispatcher_pid
            where state = 'idle' and state_change < clock_timestamp() - interval '1 second'
            """) == 1
        }
        // A dispatch, a claim and the end of a run do not read this table.
        try await queue.test.holding("lock table cancellation in access exclusive mode") { _ in
          try await queue.write("k2")
          try await eventually("the work of k2", within: .seconds(5)) {
            try await queue.noted() == ["k1", "k2"]
          }
          try await eventually("a poll that waits") {
            try await queue.count(
              """
              worker join pg_stat_activity a on a.pid = dispatcher_pid
              where state = 'active' and wait_event_type = 'Lock'
              """) == 1
          }
        }
      }
    }
  }

  @Test(.sampled())
  func `a worker takes the lock while events are dense, and writes then send no wake-ups`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await working([worker(queue.job, in: queue)], in: queue) {
        let dense = Task {
          while !Task.isCancelled {
            try await queue.test.sql(
              "select append_events('note.written', array_agg(n::text))::text from generate_series(1, 50) n"
            )
            try await Task.sleep(for: .milliseconds(5))
          }
        }
        try await eventually("a worker with the lock") { try await awake(queue) == 1 }
        let listener = try await queue.test.listener()
        // If the machine delays the events, the worker releases the lock, and takes the lock again.
        try await eventually("a write without a wake-up") {
          _ = try await listener.hears()
          try await queue.write("b")
          return try await listener.hears() == []
        }
        try await eventually("the work of b") { try await queue.noted().contains("b") }
        await listener.close()
        dense.cancel()
        _ = await dense.result
        try await eventually("a worker without the lock") { try await awake(queue) == 0 }
      }
    }
  }

  @Test(.sampled()) func `a worker that has just worked is woken by a single event`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await working([worker(queue.job, in: queue)], in: queue) {
        let listener = try await queue.test.listener()
        for n in 1...20 {
          try await queue.write("k\(n)")
          try await eventually("the work of k\(n)") { try await queue.count("noted") == n }
        }
        #expect(try await listener.hears().count == 20)
        await listener.close()
      }
    }
  }

  @Test func `who folds runs of other jobs wakes their workers`() async throws {
    try await NoteQueue.with { queue in
      let other = NoticeJob.registered
      try await queue.queue.define([queue.job, other])
      try await working(
        [worker(queue.job, in: queue), worker(other, in: queue)], in: queue
      ) {
        let listener = try await queue.test.listener()
        // The first write wakes all workers. If one worker is awake, that worker passes later
        // writes on.
        try await eventually("a hint for the other") {
          try await queue.write("a")
          try await queue.test.sql("select enqueue('notice', 'b')")
          return try await listener.hear(until: .now + .milliseconds(50)).contains(
            "notice")
        }
        await listener.close()
      }
    }
  }

  @Test func `where the hint was lost, a poll finds the event`() async throws {
    try await NoteQueue.with { queue in
      let slow = worker(queue.job, in: queue, pause: .milliseconds(250))
      try await working([slow], in: queue) {
        // The state is as if a worker was awake, and died without a poll after the write.
        let dying = Session(try await queue.test.connect(), in: queue.test.schema)
        try await eventually("the lock") { try await dying.atomically(QueueCalls.stayAwake) }
        try await queue.write("a")
        await dying.connection.close()
        try await eventually("the work") { try await queue.noted() == ["a"] }
      }
    }
  }

  @Test func `a worker whose connection is cut while it sleeps listens on the next one`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await working([worker(queue.job, in: queue)], in: queue) {
        let pid = try await queue.test.sql("select pid from worker").first ?? ""
        try await queue.test.sql("select pg_terminate_backend(\(pid), 10000)")
        try await eventually("the next connection") {
          try await queue.test.sql("select pid from worker") != [pid]
        }
        try await queue.write("a")
        try await eventually("the work") { try await queue.noted() == ["a"] }
      }
    }
  }

  @Test(.sampled())
  func `a worker that is killed while it is awake leaves the next write to the others`()
    async throws
  {
    try await NoteQueue.with { queue in
      let doomed = ConnectionConfiguration(
        address: queue.test.configuration.address, applicationName: "doomed")
      try await working(
        [worker(queue.job, in: queue), worker(queue.job, in: queue, at: doomed)], in: queue
      ) {
        for n in 1...5 {
          try await queue.write("k\(n)")
          try await queue.test.sql(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'doomed' and datname = current_database()"
          )
        }
        try await queue.write("last")
        try await eventually("all work") { try await Set(queue.noted()).count == 6 }
      }
    }
  }

  @Test func `an effect job's worker is woken too`() async throws {
    try await TestSchema.with { test in
      let sent = Outbox.Sent()
      let job = SendJob.registered(sent)
      let connection = try await test.connect()
      let queue = NoteQueue(
        test: test, connection: connection, queue: Queue(Session(connection, in: test.schema)))
      try await queue.queue.define([job])
      try await working([worker(job, in: queue)], in: queue) {
        try await test.sql("select enqueue('send', 'a')")
        try await eventually("the effect") { !sent.letters.isEmpty }
      }
      await connection.close()
    }
  }
}

/// A job without a debounce.
private struct PromptJob: BatchJob {
  static let definition = Definition<Self>("prompt", on: [.event(Topic("note.written"))])

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    try await context.note(batch.map(\.key))
  }
}
