public import BatonJobs
public import BatonPostgres
import Foundation
import Logging

/// A job as the runner knows it: its definition, and how claimed runs of it are worked.
///
/// The runner does not know what the jobs work with. The code that registers a job passes the function that makes its
/// context.
public struct RegisteredJob: Sendable {
  /// The job's definition.
  package let definition: JobDefinition
  /// `batch`, `step` or `effect`.
  let kind: String
  /// Throws if the job cannot read a run with this key and payload.
  let read: @Sendable (_ key: String, _ payload: String?) throws -> Void
  let work: Work

  /// Text that a dry run shows in addition to the numbers of rows.
  ///
  /// Called before and after the work with the keys of its runs; nil if the job shows nothing.
  package let shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)?

  /// How runs are worked.
  enum Work: Sendable {
    case transactions(TransactionalWork)
    /// Performs one run and returns its output as JSON; nil if it has none.
    case effect(@Sendable (ClaimedRun, Logger, Effect) async throws -> String?)
  }

  /// Work in transactions.
  struct TransactionalWork: Sendable {
    /// Whether the first statement of the work ends the runs, instead of the last one.
    ///
    /// That saves one statement. It is possible if the work is one transaction and its report is not stored.
    let endsFirst: Bool
    /// Reads runs and begins an attempt at those that the job can read.
    let begin: @Sendable ([ClaimedRun], _ isDryRun: Bool, Logger) -> Beginning
    /// What a run would remove; nil where a dry run does the work itself.
    let dryRun: @Sendable (Transaction) async throws -> [Removal]?
  }

  /// One step of an attempt, in a transaction of its own.
  typealias Step = @Sendable (Transaction) async throws -> StepResult

  /// Claimed runs, sorted before their work starts.
  struct Beginning {
    /// The runs that the job can read.
    let readable: [ClaimedRun]
    /// The runs that the job cannot read, and why; no attempt at them could succeed.
    let unreadable: [(run: ClaimedRun, why: UndecodableRun)]
    /// Called in one transaction after the other; nil if the job can read none of the runs.
    let step: Step?
  }

  /// The work of a job that works in transactions; a programming error for an effect job.
  var transactions: TransactionalWork {
    guard case .transactions(let work) = work else {
      preconditionFailure("\(definition.name): an effect is performed, not worked")
    }
    return work
  }

  /// A job that works in transactions, and the factory of its context.
  ///
  /// - Parameter shows: the text that a dry run shows, read in its transaction for the keys of its runs.
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
