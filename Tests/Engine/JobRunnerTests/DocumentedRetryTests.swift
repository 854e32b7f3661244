import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Compiles and runs the retry function of docs/guides/effects.md.
@Suite struct DocumentedRetryTests {
  @Test func `a retry as the page shows it ends a run that is gone, and waits for the others`()
    async throws
  {
    let job = RegisteredJob(PostInvoice.self) { _ in }
    try await TestSchema.run([job]) { test in
      for status in [410, 503] {
        try await test.sql("select enqueue('post-invoice', '\(status)')")
      }
      let worker = test.worker([job])
      #expect(try await worker.runUntilIdle() == 1)
      #expect(try await test.sql("select key from dead_run") == ["410"])
      #expect(
        try await test.sql(
          "select key, attempt, due - now() between interval '5 s' and interval '10 s' from run")
          == ["503,1,t"])
    }
  }
}

private struct HTTPError: Error {
  let status: Int
}

private struct PostInvoice: EffectJob {
  static let definition = Definition<Self>(
    "post-invoice",
    retry: .attempts(10) { error, attempt in
      (error as? HTTPError)?.status == 410 ? nil : .seconds(10 * attempt)
    })

  typealias Key = Int64

  static func perform(_ run: Run<Self>, in context: Void) async throws {
    throw HTTPError(status: Int(run.key))
  }
}
