import Synchronization

/// A chunked job, which commits a long task in several transactions called steps.
///
/// At the start of every step, the runner checks that the run still belongs to this worker. Every
/// step commits separately, and the last step also completes the run.
///
/// The ``State`` passes data from one step to the next, such as a position or the size of a chunk.
/// The state is stored only in memory. After an error, a stop or a crash, the run starts again with
/// a new state. After each step, a restarted run must be able to find the remaining rows in the
/// database.
///
/// The timeout of the definition applies to one step.
public protocol StepJob<Context>: TransactionalJob {
  // `Context` is declared again so that the compiler infers it from the method below.
  associatedtype Context

  /// The data that stays in memory between two steps.
  associatedtype State: StepState = NoState

  /// Executes the next step in a separate transaction.
  ///
  /// If the method throws, the step is rolled back. The writes of earlier steps remain committed.
  ///
  /// - Returns: `.more` to request another step with the same state, or `.done` after the last
  ///   step. `.more` and `.done` contain the report of the step.
  /// - Throws: the same errors as `BatchJob.run`.
  static func step(
    _ run: Run<Self>, _ state: inout State, in context: Context
  ) async throws -> StepResult
}

/// The data that a chunked job stores in memory between two steps.
public protocol StepState: Sendable {
  /// Creates the state before the first step.
  init()
}

/// The state of a job that finds its remaining rows in the database.
public struct NoState: StepState {
  /// Creates the empty state.
  public init() {}
}

extension StepJob {
  /// Processes one run, step by step.
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

/// A box that stores the state between two steps.
private final class Kept<Value: Sendable>: Sendable {
  private let state: Mutex<Value>

  init(_ value: Value) { state = Mutex(value) }

  var value: Value {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// The result of a step, which says whether the run is completed.
///
/// The enumeration is frozen because a run has either another step or no more steps.
@frozen
public enum StepResult: Sendable, Equatable {
  /// The run needs another step.
  ///
  /// The associated value is the report of the finished step.
  case more(Report)
  /// The run is completed.
  ///
  /// The associated value is the report of the last step.
  case done(Report)
}
