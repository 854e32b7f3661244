import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests the job of docs/guides/long-jobs.md, as an author of jobs would test it.
@Suite struct DocumentedLongJobTests {
  @Test func `an import that fails continues after its last step`() async throws {
    let failures = Mutex(2)
    let job = RegisteredJob(ImportFile.self) { transaction in
      Files(transaction: transaction) {
        let fails = failures.withLock { left in
          left -= 1
          return left >= 0
        }
        if fails { throw TestFailure("the file server does not respond") }
      }
    }
    try await JobTest.noting([job]) { test in
      try await test.sql("select enqueue('import-file', 'a,b,c,d,e')")
      #expect(try await test.drain() == 0)
      #expect(try await test.noted() == ["a@1", "b@1", "c@1", "d@1", "e@1"])
      #expect(try await test.history().map(\.report) == [["lines": 5]])
      #expect(failures.withLock { $0 } < 0)
    }
  }
}

private struct ImportFile: StepJob {
  static let definition = Definition<Self>("import-file")

  struct State: StoredState {
    var line = 0
  }

  static func step(
    _ run: Run<Self>, _ state: inout State, in files: Files
  ) async throws -> StepResult {
    let lines = files.lines(of: run.key)
    let next = lines.dropFirst(state.line).prefix(2)
    try await files.store(next)
    state.line += next.count
    run.progress(state.line, of: lines.count)
    return state.line < lines.count ? .more(["lines": next.count]) : .done(["lines": next.count])
  }
}

private struct Files: Sendable {
  let transaction: Transaction
  /// Fails after the lines of a step are stored, and before the step is committed.
  let check: @Sendable () throws -> Void

  func lines(of file: String) -> [String] { file.split(separator: ",").map(String.init) }

  func store(_ lines: ArraySlice<String>) async throws {
    for line in lines { try await PacedContext(transaction: transaction).note(line, 1) }
    if lines.contains("c") { try check() }
  }
}
