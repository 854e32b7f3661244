/// A job that works a batch of runs in one database transaction.
///
/// The transaction also completes the runs, so the job's writes happen exactly once or not at all.
///
/// ```swift
/// struct CountOrders: BatchJob {
///   static let definition = Definition<Self>(
///     "count-orders", on: [.table("orders", on: .insert, key: "product")])
///
///   static func run(_ batch: [Run<Self>], in shop: Shop) async throws {
///     try await shop.countOrders(of: batch.map(\.key))
///   }
/// }
/// ```
public protocol BatchJob<Context>: TransactionalJob {
  // Declared again, so that the compiler infers it from the method below.
  associatedtype Context

  /// Does the work of all runs in the batch.
  ///
  /// - Throws: ``Permanent`` if no retry can succeed, ``Snooze`` if the batch must run later, ``FailedRuns`` to name
  ///   the runs that failed. After any other error the batch is rolled back and split until the run that fails is
  ///   alone. That run is retried as its definition says.
  static func run(_ batch: [Run<Self>], in context: Context) async throws
}

extension BatchJob {
  /// Works all of the runs in one transaction.
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
/// The batch is rolled back. Each of the named runs is retried or dies, as if it had failed alone. The other runs are
/// worked again immediately, without the named ones, and this attempt is not counted for them.
public struct FailedRuns: Error, Sendable {
  /// The error of each failed run, by the run's id.
  public let errors: [Int64: any Error]

  /// Names failed runs of the batch and their errors; at least one.
  public init(_ errors: [Int64: any Error]) {
    precondition(!errors.isEmpty, "a batch of which none has failed is done")
    self.errors = errors
  }
}
