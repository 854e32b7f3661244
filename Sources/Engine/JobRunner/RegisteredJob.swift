public import BatonJobs
public import BatonPostgres
import Foundation
import Logging

/// A job's definition, together with the code that processes its claimed runs.
///
/// The runner does not know the context that a job needs. The code that registers the job passes a
/// function that creates the context.
public struct RegisteredJob: Sendable {
  /// The job's definition.
  package let definition: JobDefinition
  /// The kind of the job: `batch`, `step` or `effect`.
  let kind: String
  /// Throws if the job cannot read a run with this key and payload.
  let read: @Sendable (_ key: String, _ payload: String?) throws -> Void
  let work: Work

  /// Returns a text that a dry run shows in addition to the numbers of rows.
  ///
  /// The closure is called with the keys before and after the runs are processed. If the job has no
  /// such text, the property is nil.
  package let shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)?

  /// The code that processes runs.
  enum Work: Sendable {
    case transactions(TransactionalWork)
    /// Performs one run, and returns its output as JSON, or nil if there is none.
    case effect(@Sendable (ClaimedRun, Logger, Effect) async throws -> String?)
  }

  /// Code that processes runs in transactions.
  struct TransactionalWork: Sendable {
    /// Whether the first statement of the transaction completes the runs, instead of the last one.
    ///
    /// Completing the runs first saves one statement. A job can complete its runs first if it has
    /// only one transaction and its report is not stored.
    let endsFirst: Bool
    /// Reads runs, and begins an attempt at the runs that the job can read.
    let begin: @Sendable ([ClaimedRun], _ isDryRun: Bool, Logger) -> Beginning
    /// Returns what a run would remove, or nil if a dry run has to process the run.
    let dryRun: @Sendable (Transaction) async throws -> [Removal]?
  }

  /// One step of an attempt, in a separate transaction.
  typealias Step = @Sendable (Transaction) async throws -> StepResult

  /// The claimed runs of an attempt, divided into runs that the job can read and runs that it
  /// cannot.
  struct Beginning {
    /// The runs that the job can read.
    let readable: [ClaimedRun]
    /// The runs that the job cannot read, and the reasons why no attempt could succeed.
    let unreadable: [(run: ClaimedRun, why: UndecodableRun)]
    /// The function that is called in one transaction after another.
    ///
    /// The function is nil if the job can read none of the runs.
    let step: Step?
  }

  /// The code of a job that works in transactions.
  ///
  /// Reading this property of an effect job is a programming error.
  var transactions: TransactionalWork {
    guard case .transactions(let work) = work else {
      preconditionFailure("\(definition.name): an effect is performed, not worked")
    }
    return work
  }

  /// Registers a job that works in transactions, with the factory of its context.
  ///
  /// - Parameter shows: returns a text that a dry run shows. The closure runs in the dry run's
  ///   transaction and gets the keys of the runs.
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

  /// Registers a job whose effects are outside of the database, with the factory of its context.
  ///
  /// If the output type of the job is neither `Void` nor `Encodable`, the program stops.
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
