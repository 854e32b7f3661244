import BatonJobs
import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

@Suite struct MovedRunTests {
  @Test func `runs that were moved since they were claimed are worked all the same`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.job))
      try await queue.test.sql("update run set due = due")
      try await executor.work(claim)
      #expect(try await queue.noted() == ["a", "b"])
      #expect(try await queue.count("run") == 0)
    }
  }

  @Test func `a part of a claim completes its own run after VACUUM FULL moved another run there`()
    async throws
  {
    try await NoteQueue.with { queue in
      let connection = try await queue.test.connect()
      let session = Session(connection, in: queue.test.schema)
      // VACUUM FULL removes the row that was rolled back, so all later rows move.
      let insert = """
        insert into run (job, key, state, due, run_at)
        values ('\(queue.job.definition.name)', 'x', 'ready', now(), now())
        """
      try await queue.test.holding(insert) { try await $0.release() }
      let token = UUID()
      let runs = try await session.insertRunning(["a", "b", "c"], of: queue.job, token: token)
      let vacuum = "vacuum full \"\(queue.test.schema.name)\".run"
      try await connection.script(Statement("test/vacuum", vacuum))
      let first = runs[0].place
      let place = "(\(first.block),\(first.line))"
      #expect(try await queue.test.sql("select key from run where ctid = '\(place)'") == ["b"])
      let claim = Claim(job: queue.job, token: token, runs: runs)
      let executor = try await queue.executor()
      try await executor.work(claim.with([runs[0]]))
      #expect(try await queue.noted() == ["a"])
      #expect(try await queue.test.sql("select key from run order by key") == ["b", "c"])
      await connection.close()
    }
  }

  @Test func `an executor passes over a key that runs, and takes the others`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a", "b")
      _ = try await queue.queue.foldAtOnce()
      let held = try await queue.claim()
      #expect(held.count == 2)
      try await queue.write("a", "c")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      #expect(try await executor.claim(queue.job)?.keys == ["c"])
    }
  }

  @Test func `an executor does not wait for a key whose work is in progress`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let holder = try await queue.executor()
      let held = try #require(try await holder.claim(queue.job))
      try await queue.write("a", "c")
      _ = try await queue.queue.foldAtOnce()
      // The job has ended its run, but is not committed.
      let working = try await queue.test.connect()
      try await working.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(QueueCalls.endClaimed(held))
        let executor = try await queue.executor()
        try await expectTime(below: .seconds(10) * patience, "a claim") { () async throws in
          #expect(try await executor.claim(queue.job)?.keys == ["c"])
        }
      }
      await working.close()
    }
  }
}
