import BatonJobs
import BatonPostgres
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// The runs that have begun, each of which waits until the expected number of runs has begun.
private final class Meeting: Sendable {
  private let expected: Int
  private let begun = Mutex(0)

  init(of expected: Int) { self.expected = expected }

  func attend() async throws {
    begun.withLock { $0 += 1 }
    while begun.withLock({ $0 }) < expected { try await Task.sleep(for: .milliseconds(5)) }
  }
}

/// A job whose claims take only one run, so that each run needs a separate executor.
private struct MeetingJob: BatchJob {
  static let definition = Definition<Self>("meeting", batch: 1)

  static func run(_ batch: [Run<Self>], in meeting: Meeting) async throws {
    try await meeting.attend()
  }
}

/// A job whose batches contain more runs than the tests enqueue.
private struct LargeMeetingJob: BatchJob {
  static let definition = Definition<Self>("large-meeting", batch: 10)

  static func run(_ batch: [Run<Self>], in meeting: Meeting) async throws {
    try await meeting.attend()
  }
}

/// Tests executors that are woken only by the test, because no dispatcher polls.
@Suite(.timeLimit(.minutes(5))) struct ExecutorSignalTests {
  /// Starts executors, and runs `body` when all executors are waiting.
  private func withExecutors(
    _ count: Int, of jobs: [RegisteredJob], in queue: NoteQueue,
    _ body: (ExecutorSignal) async throws -> Void
  ) async throws {
    let registration = Registration(
      of: WorkerContext(jobs, logger: .quiet), on: queue.test.configuration, in: queue.test.schema)
    let wakeUp = registration.worker.wakeUp
    let running = (0..<count).map { _ in
      let executor = registration.makeExecutor()
      return Task { await executor.run() }
    }
    let result: Result<Void, any Error>
    do {
      try await eventually("all executors wait") { wakeUp.idleCount == count }
      result = .success(try await body(wakeUp))
    } catch {
      result = .failure(error)
    }
    wakeUp.stop()
    for task in running { await task.value }
    try result.get()
  }

  private func due(_ names: String...) -> DueJobs {
    var due = DueJobs()
    for name in names { due.together[name] = 5 }
    return due
  }

  @Test func `a wake-up wakes one of several executors`() async throws {
    try await NoteQueue.with { queue in
      try await withExecutors(3, of: [queue.job], in: queue) { wakeUp in
        try await queue.write("a")
        _ = try await queue.queue.foldAtOnce()
        wakeUp.ring(for: due("note"))
        #expect(wakeUp.idleCount == 2)
        try await eventually("the run is done") { try await queue.noted() == ["a"] }
        try await eventually("the executor waits again") { wakeUp.idleCount == 3 }
        // An executor that found no run wakes no other executor.
        wakeUp.ring(for: due("note"))
        try await eventually("the executor waits again") { wakeUp.idleCount == 3 }
      }
    }
  }

  @Test func `an executor whose connection has ended wakes an executor that claims the run`()
    async throws
  {
    try await NoteQueue.with { queue in
      try await withExecutors(2, of: [queue.job], in: queue) { wakeUp in
        let sessions = "select pid::text from pg_stat_activity where datname = current_database()"
        let before = Set(try await queue.test.sql(sessions))
        for key in ["a", "b"] {
          try await queue.write(key)
          _ = try await queue.queue.foldAtOnce()
          wakeUp.ring(for: due("note"))
          try await eventually("the run of \(key) is done") {
            try await queue.noted().contains(key)
          }
          try await eventually("both executors wait") { wakeUp.idleCount == 2 }
          // The executor of the first run is also woken first for the second run.
          guard key == "a" else { continue }
          let opened = Set(try await queue.test.sql(sessions)).subtracting(before)
          #expect(opened.count == 1)
          for pid in opened {
            try await queue.test.sql("select pg_terminate_backend(\(pid), 10000)")
          }
        }
      }
    }
  }

  @Test func `an executor with a full batch wakes the next executor`() async throws {
    try await NoteQueue.with { queue in
      let meeting = Meeting(of: 3)
      let job = RegisteredJob(MeetingJob.self) { _ in meeting }
      try await queue.queue.define([job])
      try await queue.test.sql("select enqueue('meeting', 'k' || n) from generate_series(1, 3) n")
      _ = try await queue.queue.foldAtOnce()
      try await withExecutors(3, of: [job], in: queue) { wakeUp in
        wakeUp.ring(for: due("meeting"))
        try await eventually("all runs are done") { try await queue.count("run") == 0 }
      }
    }
  }

  @Test func `an executor wakes the next executor if another job has due runs`() async throws {
    try await NoteQueue.with { queue in
      let meeting = Meeting(of: 2)
      let jobs = [
        RegisteredJob(MeetingJob.self) { _ in meeting },
        RegisteredJob(LargeMeetingJob.self) { _ in meeting },
      ]
      try await queue.queue.define(jobs)
      try await queue.test.sql("select enqueue('meeting', 'a')")
      try await queue.test.sql("select enqueue('large-meeting', 'b')")
      _ = try await queue.queue.foldAtOnce()
      try await withExecutors(2, of: jobs.reversed(), in: queue) { wakeUp in
        wakeUp.ring(for: due("meeting", "large-meeting"))
        try await eventually("both runs are done") { try await queue.count("run") == 0 }
      }
    }
  }

  @Test
  func `a pass that has folded skips its poll if the last pass has polled and found nothing due`()
    async throws
  {
    try await NoteQueue.with { queue in
      var lock = PollingLock(longestPause: .seconds(3600))
      var skipped = [lock.skipsPoll()]
      _ = try await lock.poll(queue.queue, hasFolded: true)
      skipped.append(lock.skipsPoll())
      #expect(lock.pause < .seconds(1))
      skipped.append(lock.skipsPoll())
      _ = try await lock.poll(queue.queue, hasFolded: false)
      #expect(lock.pause == .seconds(3600))
      skipped.append(lock.skipsPoll())
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      _ = try await lock.poll(queue.queue, hasFolded: true)
      skipped.append(lock.skipsPoll())
      #expect(skipped == [false, true, false, true, false])
    }
  }
}
