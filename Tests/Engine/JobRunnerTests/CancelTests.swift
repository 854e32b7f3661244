import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the cancellation of runs that a worker is processing.
@Suite(.timeLimit(.minutes(5))) struct CancelTests {
  /// The maximum time that a person would wait.
  private let soon = Duration.seconds(2)

  @Test(.sampled(), arguments: ["stuck", "hang", "busy"])
  func `a run that runs is ended within two seconds, and nothing of it stays`(key: String)
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long", [key])
      let id = try await queue.id(key)
      try await queue.withWorker { _ in
        try await eventually("it is worked") { queue.began.keys == [key] }
        #expect(try await queue.queue.cancel(id) == .cancelling(id))
        try await eventually("it is cancelled", within: soon) {
          try await queue.cancelled() == ["\(key)@1"]
        }
        #expect(try await queue.left().isEmpty)
        // The run is not retried, and the executor is free.
        try await queue.make("long", ["next"])
        try await eventually("the next is done") { try await queue.test.noted() == ["next@1"] }
        #expect(queue.began.keys == [key, "next"])
        #expect(try await queue.queue.cancel(id) == .cancelled(id), "twice is once")
      }
      let row = try await queue.test.sql(
        """
        select id = \(id), started_at < created_at, error is null, worker like '%:%', made_at is not null
        from run_history
        """)
      #expect(row == ["t,t,t,t,t"])
    }
  }

  @Test(.sampled()) func `the others of its batch go on at once, together, without a penalty`()
    async throws
  {
    try await LongQueue.with { queue in
      let others = (1...99).map { "k\($0)" }
      try await queue.make("long", others + ["stuck"])
      let id = try await queue.id("stuck")
      try await queue.withWorker { _ in
        try await eventually("all are worked") { queue.began.keys.count == 100 }
        try await expectTime(below: soon * patience, "a cancellation") { () async throws in
          #expect(try await queue.queue.cancel(id, patience: .seconds(10)) == .cancelled(id))
        }
        try await eventually("the others are done") {
          try await queue.test.count("noted") == 99
        }
      }
      // All runs are in their first attempt, and not in smaller batches.
      #expect(try await queue.test.sql("select distinct position from noted") == ["1"])
      let batches = try await queue.test.sql("select count(*) from noted group by xact")
      #expect(batches == ["99"])
      #expect(try await queue.cancelled() == ["stuck@1"])
      #expect(try await queue.left().isEmpty)
      #expect(try await queue.test.count("failed_attempt") == 0)
    }
  }

  @Test(.sampled()) func `of a run in steps the committed ones stay, and no other begins`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long-steps", ["long"])
      let id = try await queue.id("long")
      try await queue.withWorker { _ in
        try await eventually("two steps") { try await queue.test.count("noted") >= 2 }
        #expect(try await queue.queue.cancel(id, patience: .seconds(10)) == .cancelled(id))
        let steps = try await queue.test.count("noted")
        let ended = try await queue.queue.history(of: "long-steps", limit: 5)
        #expect(ended.map(\.outcome) == ["cancelled"] && ended[0].report == ["steps": steps])
        try await queue.make("long-steps", ["short"])
        try await eventually("the next is done") {
          try await queue.test.count("noted where key = 'short'") == 1
        }
        #expect(try await queue.test.count("noted where key = 'long'") == steps)
      }
    }
  }

  @Test(.sampled())
  func `an effect is cancelled, also one that does not hear of it, and no other`()
    async throws
  {
    try await LongQueue.with { queue in
      try await queue.make("long-effect", ["hang-1", "hang-2", "deaf-3", "deaf-4"])
      let ids = [try await queue.id("hang-2"), try await queue.id("deaf-3")]
      try await queue.withWorker { _ in
        try await eventually("all are performed") { queue.began.keys.count == 4 }
        for id in ids { #expect(try await queue.queue.cancel(id) == .cancelling(id)) }
        try await eventually("both are cancelled", within: soon) {
          try await queue.cancelled() == ["deaf-3@1", "hang-2@1"]
        }
        let running = ["long-effect/deaf-4/running", "long-effect/hang-1/running"]
        #expect(try await queue.left() == running)
        // One permit is free again. The other permit becomes free when its task ends.
        try await queue.make("long-effect", ["next"])
        try await eventually("the next is done") {
          try await queue.left() == running && queue.began.keys.contains("next")
        }
      }
    }
  }

  @Test func `one that is worked by hand is cancelled too`() async throws {
    try await LongQueue.with { queue in
      async let result = queue.test.inlineRunner(queue.jobs[0]).work(key: "hang")
      try await eventually("it is worked") { queue.began.keys == ["hang"] }
      let id = try await queue.id("hang")
      #expect(try await queue.queue.cancel(id, patience: .seconds(10)) == .cancelled(id))
      #expect(try await result == .cancelled)
      #expect(try await queue.cancelled() == ["hang@1"])
      #expect(try await queue.left().isEmpty)
    }
  }

  @Test(.sampled()) func `a drain and a batch by hand go on with the others`() async throws {
    try await LongQueue.with { queue in
      for isDrain in [true, false] {
        try await queue.make("long", ["a", "b", "hang"])
        let id = try await queue.id("hang")
        async let ended: Void = work(isDrain ? nil : queue.jobs[0], in: queue)
        try await eventually("it is worked") { queue.began.keys.contains("hang") }
        #expect(try await queue.queue.cancel(id, patience: .seconds(10)) == .cancelled(id))
        try await ended
      }
      #expect(try await queue.test.noted() == ["a@1", "a@1", "b@1", "b@1"])
      #expect(try await queue.left().isEmpty)
    }
  }

  /// Drains the queue, or processes the due runs of one job inline.
  private func work(_ job: RegisteredJob?, in queue: LongQueue) async throws {
    guard let job else {
      #expect(try await queue.test.drain() == 0)
      return
    }
    let result = try await queue.test.inlineRunner(job).workDue()
    #expect(result == .done(runs: 2, report: [:]))
  }

  // MARK: What does not run

  @Test func `what waits or is dead is taken out, under each of its ids, with a history`()
    async throws
  {
    try await LongQueue.with { queue in
      let ids = try await queue.test.sql(
        "select enqueue('long', k) from unnest(array['a', 'a', 'b']) k"
      ).compactMap { Int64($0) }
      try await queue.queue.foldAfterOthers()
      let run = try await queue.id("a")
      #expect(try await queue.queue.cancel(ids[0]) == .cancelled(run))
      #expect(try await queue.queue.cancel(ids[1]) == .cancelled(run), "it was part of it")
      try await queue.test.sql(
        "insert into dead_run (id, job, key, attempt, error) values (901, 'long', 'd', 3, 'x')")
      #expect(try await queue.queue.cancel(901) == .cancelled(901))
      // The run was enqueued, but is not in the table of runs yet.
      let young = try #require(
        try await queue.test.sql("select enqueue('long', 'young')").first.flatMap { Int64($0) })
      guard case .cancelled = try await queue.queue.cancel(young) else {
        throw TestFailure("not cancelled")
      }
      #expect(try await queue.queue.cancel(4711) == .missing)
      #expect(try await queue.left() == ["long/b/ready"])
      #expect(try await queue.cancelled() == ["a@0", "d@3", "young@0"])
    }
  }
}
