import Synchronization

/// A chunked job, which commits a long task in several transactions called steps.
///
/// At the start of every step, the runner checks that the run still belongs to this worker. Every
/// step commits separately, and the last step also completes the run.
///
/// The ``State`` passes data from one step to the next, such as a position. A ``StoredState`` is
/// committed together with each step. After an error, a stop or a crash, the run continues with the
/// state from the last committed step. A state that is not a ``StoredState`` stays in memory. After
/// an error, a run without a stored state starts with a new state, and must find the unprocessed
/// rows in the database.
///
/// The definition's timeout applies to each step.
public protocol StepJob<Context>: TransactionalJob {
  // `Context` is declared again so that the compiler infers `Context` from the `step` method.
  associatedtype Context

  /// The data that one step passes to the next step.
  associatedtype State: StepState = NoState

  /// Executes the next step in a separate transaction.
  ///
  /// If the method throws, the step is rolled back. The writes of earlier steps remain committed.
  ///
  /// - Returns: `.more` to request another step with the same state, or `.done` after the last
  ///   step. `.more` and `.done` contain the step's report.
  /// - Throws: the same errors as `BatchJob.run`.
  static func step(
    _ run: Run<Self>, _ state: inout State, in context: Context
  ) async throws -> StepResult
}

/// The data that a chunked job passes from one step to the next.
///
/// A state that is not a ``StoredState`` stays in memory.
public protocol StepState: Sendable {
  /// Creates the state before the first step.
  init()
}

/// A state that is stored as JSON, in the transaction of each step.
///
/// A run with a stored state keeps its id, key and payload until it ends. Until a run with a stored
/// state ends, later requests with the same key are merged into a second run. The second run waits
/// until the run with the stored state has ended. The JSON can be at most 64 KB. During a
/// deployment, another release of the program may decode the state. The rules for changing a
/// payload also apply to the state.
public protocol StoredState: StepState, Codable {}

/// The empty state, for a chunked job that finds its unprocessed rows in the database.
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
    let kept = Kept<State?>(nil)
    return { context in
      var state = try kept.value ?? run.header.storedState()
      let result = try await step(run, &state, in: context)
      if case .more = result { try run.header.store(state) }
      kept.value = state
      return result
    }
  }
}

extension Run where J: StepJob {
  /// Reports how much of the run's work is done.
  ///
  /// The progress is committed together with the step that reports it. A run's details include its
  /// progress. A run that has reported progress is never merged with another run.
  public func progress(_ done: Int, of total: Int) {
    header.checkpoint?.report(done: Int64(max(0, done)), total: Int64(max(0, total)))
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

/// The result of a step, which determines whether the run is complete.
///
/// The enumeration is frozen, because no other case is possible.
@frozen
public enum StepResult: Sendable, Equatable {
  /// The run needs another step.
  ///
  /// The associated value is the finished step's report.
  case more(Report)
  /// The run is complete.
  ///
  /// The associated value is the last step's report.
  case done(Report)
}
