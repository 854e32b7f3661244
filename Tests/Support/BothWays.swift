package import Testing

/// Runs every test of a suite twice: directly, and behind PgBouncer in transaction mode.
///
/// Each connection of a ``TestSchema`` goes that way, and says so where it does not. The pooler lends
/// another server process for each transaction, round robin: whatever a race's losers and winners
/// keep in their session is gone, or somebody else's.
package struct BothWays: SuiteTrait, TestTrait, TestScoping {
  /// The pooler that connections of the current test go through; nil: none.
  @TaskLocal static var pooler: PgBouncer?

  /// How the current test reaches the tests' server.
  static var address: String {
    get throws { try pooler?.address ?? TestServer.address }
  }

  /// It is each test that runs twice, not the suite.
  package var isRecursive: Bool { true }

  /// Runs one test case directly, then behind the pooler that all tests of the process share.
  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    try await function()
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
  /// Each test twice: directly and behind PgBouncer.
  package static var bothWays: Self { Self() }
}
