package import Testing

/// Runs every test of a suite twice: directly, and through PgBouncer in transaction mode.
///
/// Each connection of a ``TestSchema`` then uses the pooler, and reports an issue if it does not. The pooler assigns
/// another server process to each transaction, round robin, so a test fails if its code depends on session state.
package struct BothWays: SuiteTrait, TestTrait, TestScoping {
  /// Whether the tests run through the pooler too.
  let isPooled: Bool

  /// The pooler that connections of the current test go through; nil: none.
  @TaskLocal static var pooler: PgBouncer?

  /// How the current test reaches the tests' server.
  static var address: String {
    get throws { try pooler?.address ?? TestServer.address }
  }

  /// Each test runs twice, not the suite.
  package var isRecursive: Bool { true }

  /// Runs one test case directly, then through the pooler that all tests of the process share.
  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await function()
    guard isPooled else { return }
    let pooler = try await PgBouncer.shared
    let noting: IssueHandlingTrait = .compactMapIssues { issue in
      var issue = issue
      issue.comments.append("behind PgBouncer")
      return issue
    }
    try await noting.provideScope(for: test, testCase: testCase) {
      try await Self.$pooler.withValue(pooler) { try await function() }
    }
  }
}

extension Trait where Self == BothWays {
  /// Each test runs twice: directly and through PgBouncer.
  package static var bothWays: Self { Self(isPooled: true) }

  /// Each test runs directly, and at full size also through PgBouncer.
  ///
  /// For suites whose session state other suites with ``bothWays`` cover as well.
  package static var bothWaysAtFullSize: Self { Self(isPooled: TestSize.isFull) }
}
