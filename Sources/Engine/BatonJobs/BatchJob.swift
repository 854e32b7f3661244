/// A job whose work is a set: a batch of runs is worked in one database transaction.
///
/// That transaction also completes the runs, so its effects happen exactly once or not at all.
public protocol BatchJob<Context>: TransactionalJob {
  // Said again, so that it is inferred from the method below.
  associatedtype Context

  /// Does the work of all runs in the batch.
  ///
  /// - Throws: ``Permanent`` for what no retry can mend, ``Snooze`` for what is not to be done yet,
  ///   ``FailedRuns`` to name those that failed. Any other error rolls the batch back; it is split until
  ///   the culprit is alone, and that one is retried as the definition says.
  static func run(_ batch: [Run<Self>], in context: Context) async throws
}

extension BatchJob {
  /// One transaction for all of them.
  public static func begin(
    _ runs: [Run<Self>]
  ) -> @Sendable (Context) async throws -> StepResult {
    { context in
      try await run(runs, in: context)
      return .done([:])
    }
  }
}

/// The runs of a batch that failed, by their ids.
///
/// The batch is rolled back. These are retried, or dead, each as if it had failed alone; the others are
/// worked again at once, without them and without a penalty.
public struct FailedRuns: Error, Sendable {
  /// What went wrong with each.
  public let errors: [Int64: any Error]

  /// Runs of the batch and their errors; one at least.
  public init(_ errors: [Int64: any Error]) {
    precondition(!errors.isEmpty, "a batch of which none has failed is done")
    self.errors = errors
  }
}
