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
      try await queue.write("a", "b", "c")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      let claim = try #require(try await executor.claim(queue.job))
      // After the rewrite, each run is at the location that an earlier run of the claim had.
      let places = claim.runs.map(\.place)
      try await queue.test.sql("vacuum full run")
      let moved = try await queue.test.sql("select ctid::text from run order by ctid")
      #expect(moved.contains("(\(places[0].block),\(places[0].line))"))
      try await executor.work(claim.with([claim.runs[0]]))
      #expect(try await queue.noted() == [claim.runs[0].key])
      let left = try await queue.test.sql("select key from run order by key")
      #expect(left == claim.runs.dropFirst().map(\.key).sorted())
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
