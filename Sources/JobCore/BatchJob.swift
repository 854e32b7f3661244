/// A job whose work is a set: a batch of runs is worked in one database transaction.
///
/// That transaction also completes the runs, so its effects happen exactly once or not at all.
public protocol BatchJob<Context>: Job {
  // Said again, so that it is inferred from the method below.
  associatedtype Context

  /// Does the work of all runs in the batch.
  ///
  /// - Throws: ``Permanent`` for what no retry can mend, ``Snooze`` for what is not to be done yet.
  ///   Any other error rolls the batch back; it is split until the culprit is alone, and that one is
  ///   retried as the definition says.
  static func run(_ batch: [Self], in context: Context) async throws
}

extension BatchJob {
  /// One transaction for all of them.
  public static func begin(
    _ runs: [(key: String, payload: String?)]
  ) -> @Sendable (Context) async throws -> StepResult {
    { context in
      try await run(runs.map { try Self(key: $0.key, payload: $0.payload) }, in: context)
      return .done([:])
    }
  }
}
