import BatonJobs
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
    try await context.transaction.run(
      .run(Statement("test/doom", "select pg_terminate_backend(pg_backend_pid())")))
  }

  static let registered = RegisteredJob(DoomedJob.self) { Notebook(transaction: $0) }
}

/// Tests runs whose attempts lose the worker's connection.
@Suite(.timeLimit(.minutes(3))) struct LostSessionTests {
  private func run(_ id: Int64) -> ClaimedRun {
    ClaimedRun(
      id: id, key: "\(id)", payload: nil, attempt: 1, due: Timestamp(microseconds: 0),
      firstEventAt: Timestamp(microseconds: 0), place: RowPlace(block: 0, line: 1))
  }

  @Test func `the pauses grow from the third loss on, and the tenth loss counts`() {
    let lost = LostSessions()
    let causes = (1...11).map { _ in lost.cause(of: [run(1)]) }
    let pauses = [1, 2, 4, 8, 16, 32, 60].map {
      FailureDecision.Cause.interruptedAgain(.seconds($0))
    }
    #expect(causes == [.interrupted, .interrupted] + pauses + [.transient, .transient])
  }

  @Test func `another result of an attempt ends the count`() {
    let lost = LostSessions()
    for _ in 1...5 { _ = lost.cause(of: [run(1), run(2)]) }
    lost.forget([run(1)])
    #expect(lost.cause(of: [run(1)]) == .interrupted)
    #expect(lost.cause(of: [run(2), run(3)]) == .interruptedAgain(.seconds(8)))
  }

  @Test func `a run that ends its own server process waits, and stores the error`() async throws {
    try await NoteQueue.with { queue in
      try await queue.queue.define([DoomedJob.registered])
      let worker = Worker(
        [DoomedJob.registered], on: queue.test.configuration, schema: queue.test.schema,
        options: Worker.Options(concurrency: 1), logger: .quiet)
      try await queue.test.sql("select enqueue('doomed', '1')")
      try await running(worker) {
        try await eventually("a stored error") {
          try await queue.count("run where attempt = 0 and last_error is not null") == 1
        }
      }
    }
  }
}
