public import BatonJobs
public import BatonPostgres
import Foundation
import Logging

/// A job as the runner knows it: its definition, and how claimed runs of it are worked.
///
/// The runner does not know what the jobs work with; whoever registers a job says how its context
/// is made.
public struct RegisteredJob: Sendable {
  /// The job's definition.
  package let definition: JobDefinition
  /// `batch`, `step` or `effect`.
  let kind: String
  /// Fails where the job cannot read a run of this key and payload.
  let read: @Sendable (_ key: String, _ payload: String?) throws -> Void
  let work: Work

  /// What a dry run shows beside the numbers of rows, called before and after the work with its keys; nil
  /// where there is nothing to show.
  package let shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)?

  /// How runs are worked.
  enum Work: Sendable {
    case transactions(TransactionalWork)
    /// Performs one run; what it returns as JSON, if it returns something.
    case effect(@Sendable (ClaimedRun, Logger, Effect) async throws -> String?)
  }

  /// Work in transactions.
  struct TransactionalWork: Sendable {
    /// Whether its runs are ended by the first statement of their work instead of the last, which
    /// saves one: where it is one transaction and its report is kept nowhere.
    let endsFirst: Bool
    /// Reads runs and begins an attempt at those that the job can read.
    let begin: @Sendable ([ClaimedRun], _ isDryRun: Bool, Logger) -> Beginning
    /// What a run would remove; nil where a dry run does the work itself.
    let dryRun: @Sendable (Transaction) async throws -> [Removal]?
  }

  /// One step of an attempt, in a transaction of its own.
  typealias Step = @Sendable (Transaction) async throws -> StepResult

  /// What claimed runs are before their work.
  struct Beginning {
    /// Those that the job can read.
    let readable: [ClaimedRun]
    /// Those that it cannot, and why: no attempt would get anywhere.
    let unreadable: [(run: ClaimedRun, why: UndecodableRun)]
    /// Called in one transaction after the other; nil where the job can read none.
    let step: Step?
  }

  /// Its work, for what works in transactions alone.
  var transactions: TransactionalWork {
    guard case .transactions(let work) = work else {
      preconditionFailure("\(definition.name): an effect is performed, not worked")
    }
    return work
  }

  /// A job that works in transactions, and the factory of its context.
  ///
  /// - Parameter shows: what a dry run shows, read in its transaction for the keys of its runs.
  public init<J: TransactionalJob>(
    _ type: J.Type,
    shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)? = nil,
    context: @escaping @Sendable (Transaction) -> J.Context
  ) {
    let definition = J.definition.job
    let reader = RunReader<J>(definition)
    self.definition = definition
    kind = type is any StepJob.Type ? "step" : "batch"
    self.shows = shows
    read = reader.check
    work = .transactions(
      TransactionalWork(
        endsFirst: !(type is any StepJob.Type) && !definition.keepsHistory,
        begin: { runs, isDryRun, logger in
          reader.begin(runs, isDryRun: isDryRun, logger: logger) { step in
            { transaction in
              try await transaction.acting(as: definition.role) {
                try await step(context(transaction))
              }
            }
          }
        },
        dryRun: { transaction in
          try await transaction.acting(as: definition.role) {
            try await J.dryRun(in: context(transaction))
          }
        }))
  }

  /// A job whose work is outside of the database, and the factory of its context.
  ///
  /// An output that cannot be written as JSON is a bug in the job and stops the program.
  public init<J: EffectJob>(
    _ type: J.Type, context: @escaping @Sendable (Effect) -> J.Context
  ) {
    let definition = J.definition.job
    let reader = RunReader<J>(definition)
    precondition(
      J.Output.self == Void.self || J.Output.self is any Encodable.Type,
      "\(definition.name): the output is nothing, or Encodable")
    self.definition = definition
    kind = "effect"
    shows = nil
    read = reader.check
    work = .effect { claimed, logger, effect in
      let run = try reader.run(of: claimed, logger: logger)
      let output = try await J.perform(run, in: context(effect))
      guard let output = output as? any Encodable else { return nil }
      return String(decoding: try JSONEncoder().encode(output), as: UTF8.self)
    }
  }
}
