import BatonJobs
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import BatonPostgres
@testable import JobRunner

/// A job whose statement ends its own server process.
private struct DoomedJob: BatchJob {
  static let definition = Definition<Self>("doomed")
  typealias Key = NoteKey

  static func run(_ batch: [Run<Self>], in context: Notebook) async throws {
    try await context.endSession()
  }

  static let registered = RegisteredJob(DoomedJob.self) { Notebook(transaction: $0) }
}

/// A job whose second step ends its own server process.
private struct DoomedSteps: StepJob {
  static let definition = Definition<Self>("doomed-steps")

  struct State: StepState {
    var position = 0
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in context: Notebook
  ) async throws -> StepResult {
    state.position += 1
    if state.position == 2 { try await context.endSession() }
    return .more(["steps": 1])
  }

  static let registered = RegisteredJob(DoomedSteps.self) { Notebook(transaction: $0) }
}

extension Notebook {
  fileprivate func endSession() async throws {
    try await transaction.run(
      .run(Statement("test/doom", "select pg_terminate_backend(pg_backend_pid())")))
  }
}

/// Tests runs whose attempts lose the worker's connection.
@Suite(.timeLimit(.minutes(3))) struct LostSessionTests {
  /// Returns a claim of runs with these keys.
  private func claim(
    _ keys: String..., firstID: Int64 = 1, of job: RegisteredJob = DoomedJob.registered
  ) -> Claim {
    let runs = keys.enumerated().map { index, key in
      ClaimedRun(
        id: firstID + Int64(index), key: key, payload: nil, attempt: 1,
        due: Timestamp(microseconds: 0), firstEventAt: Timestamp(microseconds: 0),
        place: RowPlace(block: 0, line: 1))
    }
    return Claim(job: job, token: UUID(), runs: runs)
  }

  @Test func `the pauses grow from the third loss on, and the tenth loss counts`() {
    let lost = LostSessions()
    let causes = (1...11).map { _ in lost.cause(of: claim("1")) }
    let pauses = [1, 2, 4, 8, 16, 32, 60].map {
      FailureDecision.Cause.interruptedAgain(.seconds($0))
    }
    #expect(causes == [.interrupted, .interrupted] + pauses + [.transient, .transient])
  }

  @Test func `another result of an attempt ends the count`() {
    let lost = LostSessions()
    for _ in 1...5 { _ = lost.cause(of: claim("1", "2")) }
    lost.forget(claim("1"))
    #expect(lost.cause(of: claim("1")) == .interrupted)
    #expect(lost.cause(of: claim("2", "3")) == .interruptedAgain(.seconds(8)))
  }

  @Test func `a run that is merged into a newer run of its key keeps the count`() {
    let lost = LostSessions()
    let causes = [10, 20, 30].map { lost.cause(of: claim("1", firstID: $0)) }
    #expect(causes == [.interrupted, .interrupted, .interruptedAgain(.seconds(1))])
  }

  /// The two forms of `é` are equal strings with different bytes.
  @Test func `keys with different bytes and equal keys of two jobs have counts of their own`() {
    let lost = LostSessions()
    for _ in 1...2 { _ = lost.cause(of: claim("\u{e9}")) }
    #expect(lost.cause(of: claim("e\u{301}")) == .interrupted)
    #expect(lost.cause(of: claim("\u{e9}", of: DoomedSteps.registered)) == .interrupted)
    #expect(lost.cause(of: claim("\u{e9}")) == .interruptedAgain(.seconds(1)))
  }

  @Test func `an interruption does not end the count, but a completed run does`() async throws {
    try await NoteQueue.with { queue in
      try await queue.write("a")
      _ = try await queue.queue.foldAtOnce()
      let registration = queue.registration()
      let worker = registration.worker
      try await registration.enter(on: registration.control.session())
      let claim = try #require(
        try await registration.makeSharingExecutor().claimInTurn(queue.job))
      for _ in 1...2 { _ = worker.lostSessions.cause(of: claim) }
      let stopped = FailedAttempt(claim: claim, error: Interrupted(), worker: worker)
      _ = await stopped.settle(on: registration.control)
      #expect(worker.lostSessions.cause(of: claim) == .interruptedAgain(.seconds(1)))
      worker.worksAgain(claim)
      #expect(worker.lostSessions.cause(of: claim) == .interruptedAgain(.seconds(2)))
      worker.completed(claim)
      #expect(worker.lostSessions.cause(of: claim) == .interrupted)
      try await registration.leave(on: registration.control.session())
      await registration.control.close()
    }
  }

  @Test func `a run that ends its own server process waits, and stores the error`() async throws {
    try await expectStoredError(of: DoomedJob.registered)
  }

  @Test func `a run that ends its server process after a committed step waits, too`() async throws {
    try await expectStoredError(of: DoomedSteps.registered)
  }

  private func expectStoredError(of job: RegisteredJob) async throws {
    try await NoteQueue.with { queue in
      try await queue.queue.define([job])
      let worker = Worker(
        [job], on: queue.test.configuration, schema: queue.test.schema,
        options: Worker.Options(concurrency: 1), logger: .quiet)
      try await queue.test.sql("select enqueue('\(job.definition.name)', '1')")
      try await running(worker) {
        try await eventually("a stored error") {
          try await queue.count("run where attempt = 0 and last_error is not null") == 1
        }
      }
    }
  }
}
