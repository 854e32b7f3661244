import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// Tests runs that become ready after a worker has passed their place in the queue.
@Suite struct LateRunTests {
  /// A way in which a run can become ready late.
  enum Way: String, CaseIterable {
    case pastTime, movedTimer, urgentTimer, urgentRun, urgentReplaced, lessUrgent
    case lateCommit, retried, released

    /// The statement before the marks are set.
    var before: String? {
      switch self {
      case .movedTimer: "select enqueue('note', 'x', run_at => now() + interval '1 h')"
      case .urgentTimer, .urgentRun: "select enqueue('note', 'x', run_at => now() - interval '1 s')"
      case .urgentReplaced:
        "select enqueue('note', 'x', run_at => now() - interval '1 s', replace => true)"
      case .lessUrgent:
        "select enqueue('note', 'x', run_at => now() - interval '1 s', priority => 1)"
      case .retried:
        "insert into dead_run (id, job, key, attempt, error) values (7, 'note', 'x', 1, 'e')"
      case .pastTime, .lateCommit, .released: nil
      }
    }

    /// The statement after the marks are set.
    var after: String? {
      switch self {
      case .pastTime, .movedTimer: "select enqueue('note', 'x', run_at => '0001-01-01')"
      case .urgentTimer: "select enqueue('note', 'x', run_at => '0001-01-01', priority => 1)"
      case .urgentRun, .urgentReplaced: "select enqueue('note', 'x', priority => 1)"
      case .lessUrgent: "select enqueue('note', 'x', run_at => '0001-01-01', replace => true)"
      case .lateCommit, .retried, .released: nil
      }
    }
  }

  @Test(.sampled(), arguments: Way.allCases)
  func `a run that becomes ready late is found from the marks`(way: Way) async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql("update job set quiet = '0', at_most = '0'")
      let front = QueueFront()
      let queued = Queue(queue.queue.session, front: front)
      if let before = way.before { try await queue.test.sql(before) }
      guard way == .lateCommit else {
        try await setMarks(queued)
        try await happen(way, in: queue, queued)
        return try await expectFound(from: front.marks(of: "note"), in: queue)
      }
      let writer = try await queue.test.connect()
      try await writer.transaction(in: queue.test.schema) { transaction in
        try await transaction.run(.run(appendEvent, ["x"]))
        try await Task.sleep(for: .milliseconds(20))
        try await setMarks(queued)
      }
      await writer.close()
      try await expectFound(from: front.marks(of: "note"), in: queue)
    }
  }

  /// All other polls of the worker happen after the marks are stored and before the commit.
  ///
  /// The next search of the whole queue would happen after the end of this test.
  @Test func `a run that is returned by a late commit is found within 1 s`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql("update job set quiet = '0', at_most = '0'")
      let (front, start) = (QueueFront(), ContinuousClock.now)
      try await queue.write("x")
      _ = try await queue.queue.fold()
      let token = UUID()
      let claim = Claim(job: queue.job, token: token, runs: try await queue.claim(token: token))
      for milliseconds in [0, 10] {
        _ = try await dueJobs(queue, front, at: start + .milliseconds(milliseconds))
      }
      let other = try await queue.test.connect()
      try await other.transaction(in: queue.test.schema) { transaction in
        _ = try await transaction.run(release(claim))
        // The released run is due after 100 ms.
        try await Task.sleep(for: .milliseconds(150))
        #expect(try await dueJobs(queue, front, at: start + .milliseconds(400)).isEmpty)
      }
      await other.close()
      _ = try await dueJobs(queue, front, at: start + .milliseconds(410))
      #expect(try await dueJobs(queue, front, at: start + .milliseconds(950)) == ["note"])
    }
  }

  /// A transaction that waits for a lock of the table has no id yet, so polls do not list it.
  @Test func `the wait of a release for a lock does not make its run due too early`() async throws {
    try await NoteQueue.with { queue in
      try await queue.test.sql("update job set quiet = '0', at_most = '0'")
      try await queue.write("x")
      _ = try await queue.queue.fold()
      let token = UUID()
      let claim = Claim(job: queue.job, token: token, runs: try await queue.claim(token: token))
      let session = queue.queue.session
      let lock = "lock table run in access exclusive mode"
      let unlocked = try await queue.test.holding(lock) { lock in
        let releasing = Task {
          try await session.atomically(release(claim))
        }
        try await lock.waitUntilItBlocks()
        try await Task.sleep(for: .milliseconds(150))
        let unlocked = try await queue.test.sql("select clock_timestamp()")
        try await lock.release()
        #expect(try await releasing.value == 1)
        return try #require(unlocked.first)
      }
      let late = try await queue.test.sql(
        "select due >= '\(unlocked)'::timestamptz + interval '100 ms' from run")
      #expect(late == ["t"])
    }
  }

  /// A claim between two due times would split the batch of the runs.
  @Test(.sampled(), arguments: ["release", "release_unknown", "retry"])
  func `runs that one statement returns are due at the same time`(statement: String) async throws {
    try await NoteQueue.with { queue in
      for number in 1...10 { try await queue.write("k\(number)") }
      _ = try await queue.queue.foldAtOnce()
      let (identity, token) = (WorkerIdentity(), UUID())
      let runs = try await queue.claim(token: token, worker: identity.id)
      #expect(runs.count == 10)
      switch statement {
      case "release":
        let claim = Claim(job: queue.job, token: token, runs: runs)
        _ = try await queue.queue.session.atomically(release(claim))
      case "release_unknown": try await queue.queue.releaseUnknown(to: identity)
      default:
        try await queue.test.sql(
          """
          insert into dead_run (id, job, key, attempt, error) select id, job, key, 1, 'e' from run
          """)
        try await queue.test.sql("delete from run")
        _ = try await queue.queue.retry(ids: runs.map(\.id))
      }
      #expect(
        try await queue.test.sql("select state, count(*), count(distinct due) from run group by 1")
          == ["ready,10,1"])
    }
  }

  private func release(_ claim: Claim) -> Call<Int> {
    QueueCalls.release(claim, attemptsOff: 1, wait: .zero, batchLimit: nil, error: nil)
  }

  /// Stores the time of a dispatch, polls at the given time, and returns the jobs with due runs.
  private func dueJobs(
    _ queue: NoteQueue, _ front: QueueFront, at now: ContinuousClock.Instant
  ) async throws -> [String] {
    _ = try await queue.queue.tryFold(storesTime: true)
    let search = front.begin(at: now)
    let poll = try await queue.queue.session.atomically(QueueCalls.poll(from: search.marks))
    front.end(search, found: poll.front, dispatchedAt: poll.dispatchedAt, at: now)
    return poll.dueJobs.map(\.name)
  }

  /// Moves the marks past all runs that are ready now.
  private func setMarks(_ queue: Queue) async throws {
    for _ in 1...3 {
      _ = try await queue.tryFold(storesTime: true)
      _ = try await queue.poll()
      try await Task.sleep(for: .milliseconds(10))
    }
  }

  private func happen(_ way: Way, in queue: NoteQueue, _ queued: Queue) async throws {
    if let after = way.after { try await queue.test.sql(after) }
    switch way {
    case .retried: _ = try await queue.queue.retry(ids: [7])
    case .released:
      try await queue.write("x")
      _ = try await queue.queue.fold()
      let token = UUID()
      let runs = try await queue.claim(token: token)
      try await setMarks(queued)
      let claim = Claim(job: queue.job, token: token, runs: runs)
      _ = try await queue.queue.session.atomically(release(claim))
    default: break
    }
    // A released or retried run is due after 100 ms.
    try await Task.sleep(for: .milliseconds(150))
  }

  private func expectFound(from marks: QueueFront.Marks, in queue: NoteQueue) async throws {
    #expect(marks.others != nil)
    _ = try await queue.queue.fold()
    let poll = try await queue.queue.session.atomically(QueueCalls.poll(from: marks))
    #expect(poll.dueJobs.map(\.name) == ["note"])
    let claimed = try await queue.queue.session.atomically(
      QueueCalls.claimByPriority(
        queue.job.definition, limit: 10, token: UUID(), worker: UUID(), isByAge: false,
        isInTurn: false, from: marks))
    #expect(claimed.map(\.key) == ["x"])
  }
}
