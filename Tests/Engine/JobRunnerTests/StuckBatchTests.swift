import BatonJobs
import BatonPostgres
import JobTesting
import RunnerSQL
import TestSupport
import Testing

@testable import JobRunner

/// Batches that do not end: `doctor` names them, and `purge-runs` deletes old batches that were never
/// sealed.
@Suite(.timeLimit(.minutes(5))) struct StuckBatchTests {
  /// Makes batches older, as if nothing had changed for the interval.
  private func age(_ names: [String], by interval: String, in queue: BatchQueue) async throws {
    let list = names.map { "'\($0)'" }.joined(separator: ", ")
    try await queue.test.sql(
      """
      update batch set created_at = created_at - interval '\(interval)',
        changed_at = changed_at - interval '\(interval)', sealed_at = sealed_at - interval '\(interval)'
      where name in (\(list))
      """)
  }

  private func purge(_ queue: BatchQueue) async throws -> Int {
    let connection = try await queue.test.connect()
    let count = try await Session(connection, in: queue.test.schema).transaction {
      try await EndedRuns($0).purgeBatches(limit: 10)
    }
    await connection.close()
    return count
  }

  @Test func `batches that do not end before a person acts are listed with the reason`()
    async throws
  {
    try await BatchQueue.with { queue in
      for name in ["new", "unsealed", "busy", "outer"] {
        try await queue.test.sql("select open_batch('\(name)')")
      }
      try await queue.test.sql("select enqueue_batch('busy', 'render', '[{\"key\": \"a\"}]')")
      try await queue.enqueue("blocked", [])
      try await queue.enqueue("works", ["a"])
      try await queue.test.sql("select open_batch('inner', parent => 'outer')")
      for name in ["locked", "delayed", "sealed"] {
        try await queue.test.sql("select open_batch('\(name)')")
        try await queue.test.sql("select seal_batch('\(name)')")
      }
      try await queue.test.sql("select seal_batch('outer')")
      // A nested batch has just ended, but its old, unsealed parent has not changed.
      try await queue.test.sql("select open_batch('series')")
      try await queue.test.sql("select open_batch('part', parent => 'series')")
      try await queue.test.sql(
        "update batch set sealed_at = created_at, ended_at = created_at where name = 'part'")
      try await queue.test.sql("update job set retired_at = now() where name = 'archive'")
      #expect(try await queue.queue.stuckBatches().map(\.name) == ["blocked"])
      try await age(["unsealed", "busy", "outer", "series"], by: "25 hours", in: queue)
      try await age(["locked"], by: "2 minutes", in: queue)
      try await queue.test.sql(
        "update batch set due = pg_catalog.now() - interval '11 minutes' where name = 'delayed'")
      #expect(
        try await queue.queue.stuckBatches() == [
          StuckBatch(name: "unsealed", reason: .unsealed, job: nil),
          StuckBatch(name: "blocked", reason: .blocked, job: "archive"),
          StuckBatch(name: "locked", reason: .locked, job: nil),
          StuckBatch(name: "delayed", reason: .locked, job: nil),
        ])
      #expect(try await queue.queue.batches("blocked", limit: 1).map(\.state) == ["blocked"])
    }
  }

  @Test func `old batches that were never sealed are purged after their dead members`() async throws
  {
    try await BatchQueue.with { queue in
      for name in ["new", "old", "busy", "outer", "series"] {
        try await queue.test.sql("select open_batch('\(name)')")
      }
      try await queue.test.sql("select enqueue_batch('old', 'render', '[{\"key\": \"bad\"}]')")
      // A nested batch without a job adds no member to its parent when it ends.
      try await queue.test.sql("select open_batch('part', parent => 'series')")
      try await queue.test.sql("select seal_batch('part')")
      try await queue.test.drain()
      #expect(try await queue.states().contains("old open 0 0 1 0"))
      #expect(try await queue.states().contains("part ended 0 0 0 0"))
      try await queue.test.sql(
        "select enqueue_batch('busy', 'render', '[{\"run_at\": \"2999-01-01Z\"}]')")
      // The nested batch is sealed, so its run becomes a member of the outer batch.
      try await queue.enqueue("inner", ["later"], in: "outer")
      // A batch without an end keeps its parent open, so deleting the batch would end the parent.
      try await queue.test.sql("select open_batch('sealed')")
      try await queue.test.sql("select open_batch('unsealed', parent => 'sealed')")
      try await queue.test.sql("select seal_batch('sealed')")
      try await age(["old", "busy", "outer", "series", "unsealed"], by: "31 days", in: queue)
      let expired = try await queue.test.expiredRows()
      #expect(expired == ["batch 1", "batch_member 1"])
      // The dead member, and then its batch.
      var deleted: [Int] = []
      for _ in 0..<3 { deleted.append(try await purge(queue)) }
      #expect(deleted == [1, 1, 0])
      #expect(
        try await queue.test.sql("select name from batch order by id") == [
          "new", "busy", "outer", "series", "part", "inner", "sealed", "unsealed",
        ])
    }
  }

  @Test func `a batch is kept while a caller adds a member`() async throws {
    try await BatchQueue.with { queue in
      try await queue.test.sql("select open_batch('old')")
      try await age(["old"], by: "31 days", in: queue)
      let ids = try await queue.test.sql("select id from batch").compactMap { Int64($0) }
      #expect(ids.count == 1)
      let caller = try await queue.begin(
        "select enqueue_batch('old', 'render', '[{\"key\": \"a\"}]')")
      #expect(try await purge(queue) == 0)
      try await caller.script(Statement("test/end", "commit"))
      await caller.close()
      #expect(try await purge(queue) == 0)
      // The member was committed after the first statement chose the batch.
      let connection = try await queue.test.connect()
      let delete = Call.row(SQL.Purge.purgeBatches, Int64(10), ids) {
        (row) throws(PostgresError) in try row.decode(Int64.self)
      }
      let deleted: Int64 = try await connection.atomically(in: queue.test.schema, delete)
      await connection.close()
      #expect(deleted == 0)
      #expect(try await queue.test.count("batch") == 1)
    }
  }
}

extension JobTest {
  /// Returns the tables and the numbers of rows that `purge-runs` would delete.
  fileprivate func expiredRows() async throws -> [String] {
    let connection = try await connect()
    let removals = try await Session(connection, in: schema).transaction {
      try await EndedRuns($0).expired()
    }
    await connection.close()
    return removals.map { "\($0.table) \($0.rows)" }
  }
}
