import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the output of `runs show`, from a run's first event to its end.
@Suite struct RunLifeTests {
  private struct Life: Decodable {
    struct Attempt: Decodable, Equatable {
      let attempt: Int
      let outcome: String
      var worker, began_at, ended_at, error: String?
      var run: Int64?
      var report: [String: Int]?
    }

    let id: Int64
    let state, key: String
    var made_at, ended_at, cancel_requested_at: String?
    var earlier_ids: [Int64]?
    let attempts: [Attempt]
  }

  @Test func `of a run that failed and was done after all, its failed attempts are kept`()
    async throws
  {
    try await LongQueue.with { queue in
      // One job keeps a history, and the other job keeps none.
      try await queue.make("long", ["lucky"])
      try await queue.make("long-steps", ["bad"])
      let (lucky, bad) = (try await queue.id("lucky"), try await queue.id("bad"))
      #expect(try await queue.test.drain() == 0)

      let ended = try await life(of: lucky, in: queue)
      #expect(ended.state == "ended" && ended.key == "lucky")
      #expect(ended.attempts.map(\.attempt) == [1, 2])
      let done = try await life(of: bad, in: queue)
      #expect(done.state == "done" && done.made_at != nil && done.ended_at != nil)
      #expect(done.attempts.map(\.outcome) == ["failed", "done"])
      #expect(done.attempts.last?.report == ["steps": 1])
      for attempt in ended.attempts + done.attempts {
        #expect(attempt.worker?.contains(":") == true)
        let (began, ended) = (try #require(attempt.began_at), try #require(attempt.ended_at))
        #expect(began <= ended && began.hasPrefix("20"))
        #expect((attempt.outcome == "failed") == (attempt.error != nil))
      }
      #expect(ended.attempts[0].error == "no luck yet")
    }
  }

  @Test(.sampled()) func `one that runs, is dead, or was cancelled is found by each of its ids`()
    async throws
  {
    try await LongQueue.with { queue in
      let ids = try await queue.test.sql(
        "select enqueue('long', k) from unnest(array['hang', 'hang']) k"
      )
      .compactMap { Int64($0) }
      try await queue.queue.foldAfterOthers()
      let id = try await queue.id("hang")
      try await queue.withWorker { _ in
        try await eventually("it is worked") { queue.began.keys == ["hang"] }
        #expect(try await life(of: ids[0], in: queue).state == "running")
        #expect(try await queue.queue.cancel(ids[1], patience: .seconds(10)) == .cancelled(id))
      }
      for any in ids {
        let life = try await life(of: any, in: queue)
        #expect(life.id == id && life.state == "cancelled")
        #expect(life.attempts.map(\.outcome) == ["cancelled"])
      }
      try await queue.make("long", ["bad"])
      let bad = try await queue.id("bad")
      #expect(try await queue.test.drain() == 1)
      #expect(try await life(of: bad, in: queue).attempts.map(\.attempt) == [1, 2, 3])
      // The output has one line for a program, and many lines for a person.
      #expect(try await queue.queue.run(bad, isOnOneLine: true)?.contains("\n") == false)
      #expect(try await queue.queue.run(bad)?.contains("\n") == true)
      #expect(try await queue.queue.run(4711) == nil)
    }
  }

  @Test(.sampled()) func `a run that its worker's death ended or sent back has that attempt`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long", ["a"])
      let id = try await queue.id("a")
      let dying = try await queue.executor()
      _ = try await dying.claim(queue.jobs[0])
      await dying.close()
      #expect(try await queue.test.drain() == 0)
      let life = try await life(of: id, in: queue)
      #expect(life.attempts.map(\.error) == ["the worker died while it worked this run"])
      #expect(life.attempts[0].began_at == nil && life.attempts[0].worker?.contains(":") == true)
    }
  }

  @Test(.sampled()) func `failed attempts go with the history, those of a dead run with it`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long", ["lucky", "bad", "young"])
      #expect(try await queue.test.drain() == 1)
      try await queue.make("long", ["lucky"])
      try await queue.test.sql(
        """
        update failed_attempt set began_at = began_at - interval '8 days',
          ended_at = ended_at - interval '8 days' where run_id <> (select id from run)
        """)
      #expect(try await queue.test.count("expired_attempt") == 2)
      let purge = queue.test.inlineRunner(RegisteredJob.ofRunner[0])
      _ = try await purge.work(key: "scheduled")
      #expect(
        try await queue.test.sql("select key, count(*) from failed_attempt group by 1") == ["bad,3"]
      )
    }
  }

  private func life(of id: Int64, in queue: LongQueue) async throws -> Life {
    let text = try #require(try await queue.queue.run(id))
    return try JSONDecoder().decode(Life.self, from: Data(text.utf8))
  }
}
