import Synchronization

/// A job whose work is too long for one transaction: it is cut into steps, each of them one.
///
/// Every step begins by checking that the run is still this worker's and commits on its own; the
/// last one completes the run. What the work keeps between two steps, a position or the size of a
/// chunk, is its ``State`` and lives in memory: after an error, a stop or a crash the run begins
/// again, from a new one. So a step leaves the database in a state from which a new beginning
/// finds what is left to do.
///
/// The timeout of its definition is for one step.
public protocol StepJob<Context>: TransactionalJob {
  // Said again, so that it is inferred from the method below.
  associatedtype Context

  /// What is kept between two steps.
  associatedtype State: StepState = NoState

  /// Does the next piece of the work, in a transaction of its own.
  ///
  /// - Returns: `.more` to be called again with the same state, `.done` after the last step; both
  ///   with what this step did.
  /// - Throws: as `BatchJob.run`. The step is rolled back, and what earlier ones did stays.
  static func step(
    _ run: Run<Self>, _ state: inout State, in context: Context
  ) async throws -> StepResult
}

/// What a job in steps begins with, and keeps between two of them.
public protocol StepState: Sendable {
  /// As it is before the first step.
  init()
}

/// Of a job whose rows say all that is left to do.
public struct NoState: StepState {
  /// Nothing.
  public init() {}
}

extension StepJob {
  /// One run, worked step by step.
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

/// The result of a step: whether its run is done.
///
/// Frozen: a run has another step or none.
@frozen
public enum StepResult: Sendable, Equatable {
  /// There is more to do; what this step did.
  case more(Report)
  /// The run is done; what this step did.
  case done(Report)
}
