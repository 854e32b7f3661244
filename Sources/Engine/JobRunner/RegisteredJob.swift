public import BatonJobs
public import BatonPostgres
import Foundation
import Logging

/// A job's definition, together with the code that processes its claimed runs.
///
/// Only the program knows how to create the context that a job's code needs. The program registers
/// each job together with a function that creates its context.
public struct RegisteredJob: Sendable {
  /// The job's definition.
  package let definition: JobDefinition
  /// The kind of the job, which is `batch`, `step` or `effect`.
  let kind: String
  /// The description of a valid key, such as `a whole number`.
  package let keyForm: String
  /// Throws an error if the job cannot decode a run with this key and payload.
  let read: @Sendable (_ key: String, _ payload: String?) throws -> Void
  /// Returns the ``RunHeader`` of a claimed run.
  let header: @Sendable (ClaimedRun, _ isDryRun: Bool, Logger) -> RunHeader
  var work: Work

  /// Returns text that a dry run displays, in addition to the numbers of changed rows.
  ///
  /// The closure is called with the keys of the runs, before and after they are processed. The
  /// property is nil if the job does not provide any text for dry runs.
  package let shows: (@Sendable (Transaction, _ keys: [String]) async throws -> String?)?

  /// The code that processes runs.
  enum Work: Sendable {
    case transactions(TransactionalWork)
    /// Performs one run, and returns its output as JSON, or nil if there is none.
    case effect(@Sendable (ClaimedRun, Logger, Effect) async throws -> String?)
  }

  /// Code that processes runs in transactions.
  struct TransactionalWork: Sendable {
    /// Whether the transaction's first statement completes the runs, instead of the last one.
    ///
    /// Completing the runs at the beginning saves one statement. Only a job that is not a `StepJob`
    /// and does not keep a history completes its runs in the first statement.
    let endsFirst: Bool
    /// Decodes runs, and begins an attempt for those that the job can decode.
    let begin: @Sendable ([ClaimedRun], _ isDryRun: Bool, Logger) -> Beginning
    /// Returns the rows that a run would remove, or nil if a dry run must process the run to find
    /// them.
    let dryRun: @Sendable (Transaction) async throws -> [Removal]?
  }

  /// One step of an attempt, in a separate transaction.
  typealias Step = @Sendable (Transaction) async throws -> StepResult

  /// The claimed runs of an attempt, divided into those that the job can decode and those that it
  /// cannot.
  struct Beginning {
    /// The runs that the job can decode.
    let readable: [ClaimedRun]
    /// The runs that the job cannot decode, and the reasons.
    let unreadable: [(run: ClaimedRun, why: UndecodableRun)]
    /// The function that processes one step.
    ///
    /// Each call to the function runs in a separate transaction.
    ///
    /// The function is nil if the job cannot decode any of the runs.
    let step: Step?
    /// The run's checkpoint, or nil if the job is not chunked.
    let checkpoint: Checkpoint?
  }

  /// The code of a job that runs in transactions.
  ///
  /// Reading this property of an effect job is a programming error.
  var transactions: TransactionalWork {
    guard case .transactions(let work) = work else {
      preconditionFailure("\(definition.name): an effect is performed, not worked")
    }
    return work
  }

  /// Registers a job that runs in transactions, together with a function that creates its context.
  ///
  /// - Parameter shows: returns text that a dry run displays. The closure runs in the dry run's
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
    keyForm = J.Key.expected
    self.shows = shows
    read = reader.check
    header = { reader.header(of: $0, isDryRun: $1, logger: $2) }
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

  /// Registers a job whose effects are outside the database, together with a function that creates
  /// its context.
  ///
  /// If the job's output type is neither `Void` nor `Encodable`, the program stops.
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
    keyForm = J.Key.expected
    shows = nil
    read = reader.check
    header = { reader.header(of: $0, isDryRun: $1, logger: $2) }
    work = .effect { claimed, logger, effect in
      let run = try reader.run(
        of: claimed, steps: EffectSteps(effect.attempt), logger: logger)
      let output = try await Self.withSteps { try await J.perform(run, in: context(effect)) }
      guard definition.keepsHistory, let output = output as? any Encodable else { return nil }
      do {
        return String(decoding: try JSONEncoder().encode(output), as: UTF8.self)
      } catch {
        // The effect has already happened, so an output that cannot be encoded must not cause a
        // retry of the run.
        effect.attempt.logger.warning("its output cannot be kept: \(FailedAttempt.text(error))")
        return nil
      }
    }
  }

  /// Performs an effect, and converts errors thrown by its steps to errors that settle the run.
  private static func withSteps<Output>(
    _ perform: () async throws -> Output
  ) async throws -> Output {
    do {
      return try await perform()
    } catch let error as UnreadableStepResult {
      // Another release of the program may be able to decode the step's stored result.
      throw UndecodableRun(description: error.description)
    } catch let error as ChangedWait {
      // Another release of the program may still be waiting for the event with the stored topic and
      // key.
      throw UndecodableRun(description: error.description)
    } catch let error as UnstorableStepResult {
      // Another attempt would perform the step again, and probably could not store its result
      // either.
      throw Permanent(error.description)
    }
  }
}
