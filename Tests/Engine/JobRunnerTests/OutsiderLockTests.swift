import BatonJobs
import BatonPostgres
import Foundation
import Logging
import RunnerSQL
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// A job whose claims take turns.
private struct TurnJob: BatchJob {
  static let definition = Definition<Self>("turn", batch: 5, limits: [.concurrency(5)])

  static func run(_ batch: [Run<Self>], in context: PacedContext) async throws {}

  static let registered = RegisteredJob(TurnJob.self) { PacedContext(transaction: $0) }
}

/// Statements of a login without rights, which takes every advisory lock and listens on every
/// channel.
@Suite(.timeLimit(.minutes(5))) struct OutsiderLockTests {
  /// Takes all advisory locks whose keys `pg_locks` shows, and all whose keys earlier versions
  /// computed.
  private static let takeAll = """
    select count(pg_advisory_lock_shared(key)) from (
      select (classid::bigint << 32) | objid::bigint as key from pg_locks
      where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
      union select hashtextextended('baton migrate ' || s, 0) from unnest(array['%', current_schema()]) s
      union select hashtextextended('baton turn ' || current_schema() || ' turn', 0)
    ) k
    """

  @Test(.sampled())
  func `advisory locks of another login stop neither claims nor a migration`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      try await queue.define([TurnJob.registered])
      let worker = Worker(
        [TurnJob.registered], on: test.configuration, schema: test.schema,
        options: .init(concurrency: 2),
        logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
      async let run: Void = worker.run()
      try await eventually("a worker") { worker.pulse == .working }
      let outsider = try await test.connect()
      try await outsider.sql(
        Self.takeAll.replacing("%", with: test.schema.name), in: test.schema)
      try await test.sql("select enqueue('turn', n::text) from generate_series(1, 50) n")
      try await eventually("the end of all runs", within: .seconds(20)) {
        try await test.sql("select runs from job_activity where job = 'turn'") == ["50"]
      }
      _ = try await Migrator(test.schema, parts: TestSchema.parts).migrate(connection)
      worker.stop()
      try await run
      await outsider.close()
      await connection.close()
    }
  }

  @Test func `another login cannot prevent the deletion of expired tickets`() async throws {
    try await TestSchema.with { test in
      let outsider = try await test.connect()
      // Earlier versions used this key.
      try await outsider.sql(
        "select pg_advisory_lock('stream_ticket'::regclass::oid::bigint)", in: test.schema)
      let create = "select create_stream_ticket(sha256('%'), 'user')"
      try await test.sql(create.replacing("%", with: "old"))
      try await test.sql("update stream_ticket set expires_at = now() - interval '1 second'")
      try await test.sql(create.replacing("%", with: "new"))
      #expect(try await test.sql("select count(*) from stream_ticket") == ["1"])
      await outsider.close()
    }
  }

  @Test func `keys of locks do not reveal the channels`() async throws {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      try await test.sql("update event_segment set has_listener = true")
      try await connection.sql("select observe('notes')", in: test.schema)
      let keys = try await test.sql(
        """
        select (classid::bigint << 32) | objid::bigint from pg_locks where locktype = 'advisory'
        union select lock_key from event_target
        """)
      #expect(keys.count >= 2)
      let outsider = try await test.connect()
      for key in keys {
        try await outsider.script(Statement("test/listen", "listen \"baton_\(key)\""))
      }
      try await test.sql("select append_events('note.written', array['a'])::text")
      try await test.sql("select wake_observers_of('notes', array['a'])::text")
      try await outsider.sql("select 1", in: test.schema)
      #expect(try await outsider.hear(until: .now + .milliseconds(300)) == [])
      #expect(try await connection.hear(until: .now + .seconds(5)) == ["notes\na"])
      await outsider.close()
      await connection.close()
    }
  }

  @Test(.sampled()) func `a migrator names the session with its lock, and gives up in time`()
    async throws
  {
    try await TestSchema.with { test in
      let connection = try await test.connect()
      let notes = Mutex<[String]>([])
      var migrator = Migrator(
        test.schema, allParts: [SQL.runner] + TestSchema.parts,
        patience: LockPatience(lockTimeout: .milliseconds(200), migrator: .milliseconds(500)))
      migrator.note = { note in notes.withLock { $0.append(note) } }
      try await test.holding("lock table migration in share mode") { lock in
        let pid = lock.pid
        do {
          _ = try await migrator.migrate(connection)
          Issue.record("the migrator did not wait")
        } catch SchemaProblem.locked(_, let holder, let limit) {
          #expect(holder.contains("the session \(pid) of the role") && limit == .milliseconds(500))
        }
        #expect(notes.withLock(\.self).count == 1)
        #expect(notes.withLock(\.self)[0].contains("the session \(pid) of the role"))
      }
      // Readers of the table do not delay a migrator.
      try await test.holding("lock table migration in access share mode") { _ in
        _ = try await migrator.migrate(connection)
      }
      await connection.close()
    }
  }
}
