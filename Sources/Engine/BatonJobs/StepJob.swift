import Synchronization

/// A chunked job: its work is too long for one transaction and is cut into steps of one transaction each.
///
/// Every step first checks that the run still belongs to this worker, and commits separately. The last step also
/// completes the run.
///
/// What the work remembers between two steps, such as a position or the size of a chunk, is its ``State``. The state
/// is only in memory: after an error, a stop or a crash the run starts again with a new state. So each step must
/// leave the database in a state from which a new start finds the remaining work.
///
/// The timeout of the definition applies to one step.
public protocol StepJob<Context>: TransactionalJob {
  // Declared again, so that the compiler infers it from the method below.
  associatedtype Context

  /// What is kept in memory between two steps.
  associatedtype State: StepState = NoState

  /// Does the next part of the work, in its own transaction.
  ///
  /// - Returns: `.more` to be called again with the same state, `.done` after the last step. Both contain what this
  ///   step did.
  /// - Throws: as `BatchJob.run`. The step is rolled back; the writes of earlier steps remain.
  static func step(
    _ run: Run<Self>, _ state: inout State, in context: Context
  ) async throws -> StepResult
}

/// What a chunked job keeps in memory between two steps.
public protocol StepState: Sendable {
  /// Creates the state before the first step.
  init()
}

/// The state of a job whose remaining work follows from the rows in the database.
public struct NoState: StepState {
  /// Creates the empty state.
  public init() {}
}

extension StepJob {
  /// Works one run, step by step.
  public static func begin(
    _ runs: [Run<Self>]
  ) -> @Sendable (Context) async throws -> StepResult {
    precondition(runs.count == 1, "\(definition.job.name): the batch of a StepJob is 1")
    let run = runs[0]
    let kept = Kept(State())
    return { context in
      var state = kept.value
      let result = try await step(run, &state, in: context)
      kept.value = state
      return result
    }
  }
}

/// A state that outlives its step.
private final class Kept<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// The result of a step: whether the run is done.
///
/// Frozen: a run has another step or not.
@frozen
public enum StepResult: Sendable, Equatable {
  /// More work remains; the report says what this step did.
  case more(Report)
  /// The run is done; the report says what this step did.
  case done(Report)
}
