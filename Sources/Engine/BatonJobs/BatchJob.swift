/// A job that processes a batch of runs in one database transaction.
///
/// The transaction also completes the runs, so the job's writes are committed exactly once or not
/// at all.
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
  // `Context` is declared again so that the compiler infers `Context` from the `run` method.
  associatedtype Context

  /// Processes all runs of a batch.
  ///
  /// If the method throws an error other than ``Permanent``, ``Snooze`` or ``FailedRuns``, the
  /// batch is rolled back and split until the failing run is alone. The job's definition determines
  /// how the failing run is retried.
  ///
  /// - Throws: ``Permanent`` if no retry can succeed, ``Snooze`` if the batch must run later,
  ///   ``FailedRuns`` to name the failed runs.
  static func run(_ batch: [Run<Self>], in context: Context) async throws
}

extension BatchJob {
  /// Processes all runs in one transaction.
  public static func begin(
    _ runs: [Run<Self>]
  ) -> @Sendable (Context) async throws -> StepResult {
    { context in
      try await run(runs, in: context)
      return .done([:])
    }
  }
}

/// The error that a batch job throws to report which runs in the batch failed.
///
/// The transaction of the whole batch is rolled back. Each run listed in `errors` is retried or
/// dies, as if the run had failed alone. Runs that are not listed in `errors` are processed again
/// immediately, and their rolled-back attempt is not counted.
public struct FailedRuns: Error, Sendable {
  /// Each failed run's error, keyed by the run's id.
  public let errors: [Int64: any Error]

  /// Creates the error from the ids and errors of the failed runs.
  ///
  /// If `errors` is empty, the whole batch fails, as after any other error.
  public init(_ errors: [Int64: any Error]) { self.errors = errors }
}
