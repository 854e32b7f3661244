public import JobCore
public import Postgres

/// A job as the runner knows it: its definition, and how claimed runs of it are worked.
///
/// The runner does not know what the jobs work with; whoever registers a job says how its context
/// is made.
public struct RegisteredJob: Sendable {
  /// The job's definition.
  public let definition: Definition
  /// Whether its runs are ended by the first statement of their work instead of the last, which
  /// saves one: where it is one transaction and its report is kept nowhere.
  let endsFirst: Bool
  /// Fails where the job cannot read a run of this key and payload.
  let read: @Sendable (_ key: String, _ payload: String?) throws -> Void
  /// Begins an attempt; what it answers is called in one transaction after the other.
  let begin: @Sendable ([ClaimedRun]) -> Step
  /// What a run would remove; nil where a dry run does the work itself.
  let dryRun: @Sendable (Transaction) async throws -> [Removal]?

  /// What a dry run shows beside the numbers of rows, called before and after the work with its keys; nil
  /// where there is nothing to show.
  public let shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)?

  /// One step of an attempt, in a transaction of its own.
  typealias Step = @Sendable (Transaction) async throws -> StepResult

  /// A job and the factory of its context.
  ///
  /// A ``StepJob`` whose batch is not 1 is a bug and stops the program.
  ///
  /// - Parameter shows: what a dry run shows, read in its transaction for the keys of its runs.
  public init<J: Job>(
    _ type: J.Type,
    shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)? = nil,
    context: @escaping @Sendable (Transaction) -> J.Context
  ) {
    let definition = J.definition
    precondition(
      definition.batch == 1 || !(type is any StepJob.Type),
      "\(definition.name): the batch of a StepJob is 1")
    self.definition = definition
    self.shows = shows
    endsFirst = !(type is any StepJob.Type) && !definition.keepsHistory
    read = { key, payload in _ = try J(key: key, payload: payload) }
    dryRun = { transaction in try await J.dryRun(in: context(transaction)) }
    begin = { runs in
      let step = J.begin(runs.map { ($0.key, $0.payload) })
      return { transaction in try await step(context(transaction)) }
    }
  }
}
