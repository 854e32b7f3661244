import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Tests the interleavings in the queue step by step.
///
/// docs/internals/queue.md lists them.
@Suite(.timeLimit(.minutes(5)), .bothWays) struct InterleavingTests {
  @Test(.sampled()) func `a fold that waited for the cursor folds only what the first one left`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.expectFoldsInTurn(second: try await queue.test.connect())
    }
  }

  @Test func `a zombie completes after another has worked its run: nothing is done twice`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let identity = WorkerIdentity()
      let zombie = try await queue.executor(identity)
      let claim = try #require(try await zombie.claim(queue.job))
      // The worker counts as dead, its run is released, and another worker processes the run.
      try await queue.test.sql(
        "update worker set heartbeat_at = now() - interval '21 s' where id = '\(identity.id)'")
      #expect(try await queue.queue.reclaim()?.released == 1)
      let other = try await queue.executor()
      #expect(try await other.workOnce(queue.job))
      #expect(try await queue.noted() == ["a"])
      let lost = await zombie.finish(claim).error as? PostgresError
      #expect(lost?.sqlState == .claimLost)
      #expect(try await queue.noted() == ["a"])
      #expect(try await queue.count("run") == 0)
      await zombie.close()
      await other.close()
    }
  }

  @Test func `a zombie completes while another works its run: the other's work stays`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let zombie = try await queue.executor()
      let claim = try #require(try await zombie.claim(queue.job))
      try await queue.test.sql("update worker set heartbeat_at = now() - interval '21 s'")
      _ = try await queue.queue.reclaim()
      let other = try await queue.executor()
      let taken = try #require(try await other.claim(queue.job))
      let lost = await zombie.finish(claim).error as? PostgresError
      #expect(lost?.sqlState == .claimLost)
      #expect(try await queue.test.sql("select state, attempt from run") == ["running,2"])
      let error = await other.finish(taken).error
      #expect(error == nil)
      #expect(try await queue.noted() == ["a"])
      await zombie.close()
      await other.close()
    }
  }

  @Test func `an event that commits while its key is worked is worked afterwards`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.job))
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let other = try await queue.executor()
      #expect(try await other.claim(queue.job) == nil)
      let error = await executor.finish(claim).error
      #expect(error == nil)
      #expect(try await other.workOnce(queue.job))
      #expect(try await queue.noted() == ["a", "a"])
      #expect(try await queue.count("run") == 0)
      await executor.close()
      await other.close()
    }
  }

  @Test(.sampled())
  func `a REPEATABLE READ writer that has a used-up segment in mind loses nothing`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await queue.write("before")
      _ = try await queue.queue.foldAtOnce()
      let writer = try await queue.test.connect()
      try await writer.script(
        Statement(
          "test/begin",
          """
          begin isolation level repeatable read; set local search_path to \(queue.test.schema.name);
          select from event_segment
          """))
      try await queue.rotateNow()
      #expect(try await queue.test.sql("select current from event_segment") == ["1"])
      // The writer's snapshot still contains segment 0, which is emptied when it is ten seconds
      // old.
      try await writer.run(.run(appendEvent, ["late"]))
      try await queue.rotateNow()
      #expect(try await queue.queue.foldAtOnce().events == 0)
      try await writer.script(Statement("test/commit", "commit"))
      try await queue.rotateNow()
      #expect(try await queue.queue.foldAtOnce().events == 1)
      #expect(
        try await queue.test.sql("select key from run order by 1") == ["before", "late"])
      await writer.close()
    }
  }
}

/// Tests another isolation level as the default of the session, which a pooler does not preserve.
@Suite(.timeLimit(.minutes(5))) struct IsolationTests {
  @Test(.sampled(), arguments: ["repeatable%20read", "serializable"])
  func `where another level is the default the queue works all the same`(level: String)
    async throws
  {
    try await NoteQueue.with { queue in
      let address =
        queue.test.configuration.address + "&options=-c%20default_transaction_isolation%3D"
        + level.replacing("%20", with: "%5C%20")
      let configuration = ConnectionConfiguration(
        address: address, applicationName: queue.test.configuration.applicationName)
      let connection = try await Connection.open(configuration)
      try await queue.expectFoldsInTurn(second: connection)
    }
  }
}

@Suite struct CursorTests {
  @Test func `a dispatch without the cursor changes nothing`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      let holder = try await queue.test.connect()
      try await holder.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(QueueCalls.waitForCursor)
        #expect(try await queue.queue.tryFold() == nil)
        let (hasMore, folded) = try await queue.queue.session.atomically(
          QueueCalls.advance(inPieces: false), QueueCalls.fold(atOnce: false, inPieces: false))
        #expect(!hasMore && folded.events == 0)
      }
      await holder.close()
      let dispatched = try await queue.queue.tryFold()
      #expect(dispatched?.events == 1)
      #expect(try await queue.test.sql("select key from run") == ["a"])
    }
  }
}

extension NoteQueue {
  /// Expects that the second of two folds waits for the first fold.
  ///
  /// In the meantime, another event is written.
  fileprivate func expectFoldsInTurn(second connection: Connection) async throws {
    try await write("first")
    let holder = try await test.connect()
    let second = Queue(Session(connection, in: test.schema))
    let events = try await holder.transaction(in: test.schema) { transaction in
      let (_, _, folded) = try await transaction.run(
        QueueCalls.waitForCursor, QueueCalls.advance(inPieces: false),
        QueueCalls.fold(atOnce: false, inPieces: false))
      #expect(folded.events == 1)
      let waiting = Task { try await second.foldAtOnce().events }
      let name = test.configuration.applicationName
      try await eventually(
        "pg_stat_activity where application_name = '\(name)' and wait_event_type = 'Lock'", is: 1)
      try await write("meanwhile")
      return waiting
    }.value
    #expect(events == 1)
    #expect(try await queue.foldAtOnce().events == 0)
    #expect(try await test.sql("select key from run order by 1") == ["first", "meanwhile"])
    await holder.close()
    await connection.close()
  }

  /// Rotates the segments as if the current segment were old enough.
  fileprivate func rotateNow() async throws {
    try await test.sql("update event_segment set rotated_at = now() - interval '2 min'")
    try await queue.rotate()
  }
}
