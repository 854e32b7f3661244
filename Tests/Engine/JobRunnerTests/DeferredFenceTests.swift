import BatonJobs
import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests that a fence that is sent with the first statement of the work protects the runs.
@Suite(.timeLimit(.minutes(5)), .bothWays) struct DeferredFenceTests {
  /// Claims the run of the key `a` for a job, and executes the job after `change`.
  ///
  /// - Returns: the result of the attempt, and whether the job began.
  private func attempt(
    _ queue: NoteQueue, _ way: CarelessJob.Way, sentAt: ContinuousClock.Instant = .now,
    after change: String
  ) async throws -> (error: (any Error)?, began: Int) {
    try await queue.write("a")
    _ = try await queue.queue.foldAtOnce()
    let token = UUID()
    let runs = try await queue.claim(token: token)
    let began = CallCounter()
    let job = RegisteredJob(CarelessJob.self) {
      CarelessJob.Context(notebook: Notebook(transaction: $0), way: way, began: began)
    }
    try await queue.test.sql(change)
    let executor = try await queue.executor()
    let claim = Claim(job: job, token: token, runs: runs, sentAt: sentAt)
    let result = await executor.finish(claim)
    await executor.close()
    return (result.error, began.value)
  }

  private let lose = "update run set token = gen_random_uuid()"

  @Test(.sampled(), arguments: CarelessJob.Way.allCases)
  func `a job that hides an error of its statements commits nothing after the claim is lost`(
    way: CarelessJob.Way
  ) async throws {
    try await NoteQueue.with { queue in
      let (error, began) = try await attempt(queue, way, after: lose)
      #expect((error as? PostgresError)?.sqlState == .claimLost)
      // The second attempt searches for the runs by key.
      #expect(began == 2)
      #expect(try await queue.noted().isEmpty)
      #expect(try await queue.count("run") == 1)
    }
  }

  /// The process of the claim may have been frozen.
  @Test func `an old claim is checked before the job begins`() async throws {
    try await NoteQueue.with { queue in
      let (error, began) = try await attempt(
        queue, .writes, sentAt: .now - .seconds(2), after: lose)
      #expect((error as? PostgresError)?.sqlState == .claimLost)
      #expect(began == 0)
    }
  }

  @Test(.sampled(), arguments: CarelessJob.Way.allCases)
  func `the runs of a valid claim are completed, also without a statement`(
    way: CarelessJob.Way
  ) async throws {
    try await NoteQueue.with { queue in
      let (error, began) = try await attempt(queue, way, after: "select 1")
      #expect(error == nil)
      #expect(began == 1)
      #expect(try await queue.count("run") == 0)
    }
  }
}

/// A job that hides the errors of its statements.
struct CarelessJob: BatchJob {
  enum Way: CaseIterable {
    case writes, ignoresErrors, replacesErrors, writesNothing
  }

  struct Context: Sendable {
    let notebook: Notebook
    let way: Way
    let began: CallCounter
  }

  static let definition = Definition<Self>("careless")

  static func run(_ batch: [Run<Self>], in context: Context) async throws {
    context.began.increase()
    let keys = batch.map(\.key)
    switch context.way {
    case .writes: try await context.notebook.note(keys)
    case .ignoresErrors: try? await context.notebook.note(keys)
    case .replacesErrors:
      do { try await context.notebook.note(keys) } catch { throw TestFailure("the note is lost") }
    case .writesNothing: break
    }
  }
}

/// A number that several tasks increase.
final class CallCounter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }
  func increase() { count.withLock { $0 += 1 } }
}
