import JobRunner
package import Testing

/// Runs tests on two threads of their own, because the tests compute for seconds without a pause.
///
/// Swift's cooperative pool has one thread per core. If two such tests occupied these threads, all
/// other tests would stop for several seconds. The server would then end their transactions that
/// lock the cursor of the event log, because such a transaction may be idle for at most 5 s.
package struct OwnThreads: SuiteTrait, TestTrait, TestScoping {
  private static let threads = ThreadPool(2, name: "tidy tests")

  /// Whether the trait applies to the tests of a suite, which is always true.
  package var isRecursive: Bool { true }

  /// Runs a test on the threads.
  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await withTaskExecutorPreference(Self.threads) { try await function() }
  }
}

extension Trait where Self == OwnThreads {
  /// Runs the tests on threads of their own.
  package static var ownThreads: Self { OwnThreads() }
}
