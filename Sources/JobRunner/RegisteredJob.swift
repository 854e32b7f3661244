public import JobCore
public import Postgres

/// A job as the runner knows it: its definition, and how a batch of it is worked in a transaction.
///
/// The runner does not know what the jobs work with; whoever registers a job says how its context
/// is made.
public struct RegisteredJob: Sendable {
  /// The job's definition.
  public let definition: Definition
  let work: @Sendable ([ClaimedRun], Transaction) async throws -> Void

  /// A job and the factory of its context.
  public init<Job: BatchJob>(
    _ type: Job.Type, context: @escaping @Sendable (Transaction) -> Job.Context
  ) {
    definition = Job.definition
    work = { runs, transaction in
      let batch = try runs.map { try Job(key: $0.key, payload: $0.payload) }
      try await Job.run(batch, in: context(transaction))
    }
  }
}
