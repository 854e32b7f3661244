import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// Tests a dry run at the same time as other sessions: the locks that it holds until its rollback.
@Suite struct DryRunTests {
  private func inlineRunner(_ queue: NoteQueue) -> InlineRunner {
    InlineRunner(queue.job, on: queue.test.configuration, schema: queue.test.schema, logger: .quiet)
  }

  /// Returns the keys that a worker could claim while a dry run of `key` is executing its job.
  private func claimedDuring(
    _ queue: NoteQueue, key: String?, _ body: @escaping () async throws -> Void
  ) async throws -> [String] {
    // A statement that waits for the dry run would wait forever, because the test waits for that
    // statement.
    try await queue.connection.script(Statement("test/limit", "set statement_timeout = '5s'"))
    var claimed: [String] = []
    var isBefore = true
    _ = try await inlineRunner(queue).dryRun(key: key) { _, _ in
      guard isBefore else { return }
      isBefore = false
      try await body()
      claimed = try await queue.claim().map(\.key)
    }
    return claimed.sorted()
  }

  @Test(.sampled(), arguments: ["a", nil])
  func `others fold and claim meanwhile, but not what it works`(
    key: String?
  ) async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let claimed = try await claimedDuring(queue, key: key) {
        try await queue.write("a", "b")
        let folded = try await queue.queue.foldAtOnce()
        #expect(folded.events == 2 && folded.runs == 2)
      }
      #expect(claimed == ["b"])
      #expect(try await queue.noted().isEmpty)
      #expect(
        try await queue.test.sql("select state, attempt from run where key = 'a'") == ["ready,0"])
    }
  }

  @Test func `a key without a run stops nobody`() async throws {
    try await NoteQueue.with { queue in
      let claimed = try await claimedDuring(queue, key: "a") {
        try await queue.write("a", "b")
        _ = try await queue.queue.foldAtOnce()
      }
      #expect(claimed == ["a", "b"])
    }
  }

  @Test func `a key that cannot be read is refused before anything is claimed, dry or not`()
    async throws
  {
    try await NoteQueue.with { queue in
      let runner = inlineRunner(queue)
      await #expect(throws: UnreadableRun.self) { try await runner.work(key: "unreadable") }
      await #expect(throws: UnreadableRun.self) {
        try await runner.dryRun(key: "unreadable") { _, _ in }
      }
      let runs = try await queue.test.sql("select id from run union all select id from dead_run")
      #expect(runs.isEmpty)
    }
  }

  @Test func `a key that runs elsewhere has no dry run`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let executor = try await queue.executor()
      #expect(try await executor.claim(queue.job)?.keys == ["a"])
      for key in ["a", nil] {
        let outcome = try await inlineRunner(queue).dryRun(key: key) { _, _ in }
        #expect(outcome == nil)
      }
      await executor.close()
    }
  }
}
