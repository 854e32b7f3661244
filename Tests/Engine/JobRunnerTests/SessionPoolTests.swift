import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests the sessions on which a worker completes effects.
@Suite(.timeLimit(.minutes(5))) struct SessionPoolTests {
  /// An effect that does not end.
  private final class Abandoned: Sendable {}

  @Test func `an effect that does not end keeps no session from other effects`() async throws {
    try await TestSchema.with { test in
      let source = ReconnectingSession(test.configuration, in: test.schema, logger: .quiet)
      let pool = SessionPool(of: source, count: 1, transactionCount: 1)
      let effect = Abandoned()
      let (begun, begin) = AsyncStream<Void>.makeStream()
      let (ended, end) = AsyncStream<Void>.makeStream()
      let performing = Task {
        try await pool.with(for: effect) { session in
          let process = try await session.session().connection.backend.pid
          begin.finish()
          for await _ in ended {}
          return process
        }
      }
      for await _ in begun {}
      let completing = Task { try await process(of: pool) }
      pool.replaceSessions(of: effect)
      let completed = try await completing.value
      end.finish()
      #expect(try await performing.value != completed)
      // The replaced session does not return to the pool.
      for _ in 1...2 { #expect(try await process(of: pool) == completed) }
      await pool.close()
    }
  }

  /// The lock of the run would delay the statement that settles the run.
  @Test func `the transaction of an effect that does not end is rolled back`() async throws {
    try await TestSchema.with { test in
      let source = ReconnectingSession(test.configuration, in: test.schema, logger: .quiet)
      let pool = SessionPool(of: source, count: 1, transactionCount: 1)
      let effect = Abandoned()
      let (begun, begin) = AsyncStream<Void>.makeStream()
      let (ended, end) = AsyncStream<Void>.makeStream()
      let performing = Task {
        try await pool.with(for: effect) { session in
          try await session.session().transaction { transaction in
            try await transaction.run(
              .run(Statement("test/lock", "lock table job in exclusive mode")))
            begin.finish()
            for await _ in ended {}
          }
        }
      }
      for await _ in begun {}
      let locks =
        "select mode from pg_locks where relation = 'job'::regclass and mode = 'ExclusiveLock'"
      #expect(try await test.sql(locks) == ["ExclusiveLock"])
      pool.replaceSessions(of: effect)
      try await eventually("the end of the lock") { try await test.sql(locks).isEmpty }
      end.finish()
      await #expect(throws: PostgresError.self) { try await performing.value }
      await pool.close()
    }
  }

  /// The effect's task was cancelled before its transaction began, so it does not cancel its
  /// statements.
  @Test func `the statement of an effect that does not end is cancelled`() async throws {
    try await TestSchema.with { test in
      let source = ReconnectingSession(test.configuration, in: test.schema, logger: .quiet)
      let pool = SessionPool(of: source, count: 1, transactionCount: 1)
      let effect = Abandoned()
      let (begun, begin) = AsyncStream<Int32>.makeStream()
      let performing = Task {
        while !Task.isCancelled { await Task.yield() }
        try await pool.with(for: effect) { reconnecting in
          let session = try await reconnecting.session()
          begin.yield(await session.connection.backend.pid)
          begin.finish()
          try await session.transaction { transaction in
            try await transaction.run(.run(Statement("test/sleep", "select from pg_sleep(300)")))
          }
        }
      }
      performing.cancel()
      let first = await begun.first { _ in true }
      let process = try #require(first)
      let sleeping = """
        select pid from pg_stat_activity where pid = \(process) and wait_event = 'PgSleep'
        """
      try await eventually("the statement") { try await test.sql(sleeping) == ["\(process)"] }
      pool.replaceSessions(of: effect)
      try await eventually("the end of the statement") { try await test.sql(sleeping).isEmpty }
      await #expect(throws: PostgresError.self) { try await performing.value }
      await pool.close()
    }
  }

  @Test func `transactions of effects leave a session for the ends of other effects`() async throws
  {
    try await TestSchema.with { test in
      let source = ReconnectingSession(test.configuration, in: test.schema, logger: .quiet)
      let pool = SessionPool(of: source)
      let (ended, end) = AsyncStream<Void>.makeStream()
      let (begun, begin) = AsyncStream<Int>.makeStream()
      let performing = (1...3).map { number in
        Task {
          await pool.with(for: Abandoned()) { _ in
            begin.yield(number)
            for await _ in ended {}
          }
        }
      }
      var count = 0
      for await _ in begun {
        count += 1
        if count == 2 { break }
      }
      let process = try await process(of: pool)
      #expect(process > 0)
      end.finish()
      for task in performing { await task.value }
      await pool.close()
    }
  }

  @Test func `only the sessions of the abandoned effect are replaced`() async throws {
    try await TestSchema.with { test in
      let source = ReconnectingSession(test.configuration, in: test.schema, logger: .quiet)
      let pool = SessionPool(of: source, count: 1, transactionCount: 1)
      let (effect, other) = (Abandoned(), Abandoned())
      let first = try await process(of: pool)
      pool.replaceSessions(of: effect)
      let during = try await pool.with(for: effect) { session in
        pool.replaceSessions(of: other)
        return try await session.session().connection.backend.pid
      }
      #expect(during == first && effect !== other)
      #expect(try await process(of: pool) == first)
      await pool.close()
    }
  }

  private func process(of pool: SessionPool) async throws -> Int32 {
    try await pool.with { try await $0.session().connection.backend.pid }
  }
}
