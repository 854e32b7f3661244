package import Testing

/// Runs every test of a suite twice: directly, and through PgBouncer in transaction mode.
///
/// In the second run, each connection of a ``TestSchema`` must use the pooler. A direct connection
/// is reported as an issue. The pooler assigns each transaction to the next server process in turn,
/// so a test fails if the tested code depends on session state.
package struct BothWays: SuiteTrait, TestTrait, TestScoping {
  /// Whether the tests also run through the pooler.
  let isPooled: Bool

  /// The pooler for the connections of the current test, or nil for direct connections.
  @TaskLocal static var pooler: PgBouncer?

  /// The address at which the current test reaches the tests' server.
  static var address: String {
    get throws { try pooler?.address ?? TestServer.address }
  }

  /// Whether each test of the suite runs twice, instead of the suite as a whole.
  package var isRecursive: Bool { true }

  /// Runs one test case directly, and then through the pooler that all tests of the process share.
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
  /// A trait that makes each test run twice: directly and through PgBouncer.
  package static var bothWays: Self { Self(isPooled: true) }

  /// A trait that makes each test run directly and, in full test runs, also through PgBouncer.
  ///
  /// The trait is intended for suites whose use of session state is also covered by suites with
  /// ``bothWays``.
  package static var bothWaysAtFullSize: Self { Self(isPooled: TestSize.isFull) }
}
