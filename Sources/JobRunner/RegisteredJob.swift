public import JobCore
import Logging
public import Postgres

/// A job as the runner knows it: its definition, and how claimed runs of it are worked.
///
/// The runner does not know what the jobs work with; whoever registers a job says how its context
/// is made.
public struct RegisteredJob: Sendable {
  /// The job's definition.
  public let definition: JobDefinition
  /// Whether its runs are ended by the first statement of their work instead of the last, which
  /// saves one: where it is one transaction and its report is kept nowhere.
  let endsFirst: Bool
  /// Fails where the job cannot read a run of this key and payload.
  let read: @Sendable (_ key: String, _ payload: String?) throws -> Void
  /// Reads runs and begins an attempt at those that the job can read.
  let begin: @Sendable ([ClaimedRun], _ isDryRun: Bool, Logger) -> Beginning
  /// What a run would remove; nil where a dry run does the work itself.
  let dryRun: @Sendable (Transaction) async throws -> [Removal]?

  /// What a dry run shows beside the numbers of rows, called before and after the work with its keys; nil
  /// where there is nothing to show.
  public let shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)?

  /// One step of an attempt, in a transaction of its own.
  typealias Step = @Sendable (Transaction) async throws -> StepResult

  /// What claimed runs are before their work.
  struct Beginning {
    /// Those that the job can read.
    let readable: [ClaimedRun]
    /// Those that it cannot, and why: no attempt would get anywhere.
    let unreadable: [(run: ClaimedRun, why: Permanent)]
    /// Called in one transaction after the other; nil where the job can read none.
    let step: Step?
  }

  /// A job and the factory of its context.
  ///
  /// - Parameter shows: what a dry run shows, read in its transaction for the keys of its runs.
  public init<J: Job>(
    _ type: J.Type,
    shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)? = nil,
    context: @escaping @Sendable (Transaction) -> J.Context
  ) {
    let definition = J.definition.job
    self.definition = definition
    self.shows = shows
    endsFirst = !(type is any StepJob.Type) && !definition.keepsHistory
    let reader = RunReader<J>(definition)
    read = { key, payload in
      _ = try reader.run(key: key, payload: payload, header: RunHeader())
    }
    dryRun = { transaction in try await J.dryRun(in: context(transaction)) }
    begin = { runs, isDryRun, logger in
      reader.begin(runs, isDryRun: isDryRun, logger: logger) { step in
        { transaction in try await step(context(transaction)) }
      }
    }
  }
}
