import Synchronization

/// A job whose work is too long for one transaction: it is cut into steps, each of them one.
///
/// Every step begins by checking that the run is still this worker's and commits on its own; the
/// last one completes the run. What the value keeps between two steps, a position or the size of a
/// chunk, is the job's own and lives in memory: after an error, a stop or a crash the run begins
/// again, from a new value. So each step has to leave the database in a state from which
/// a new value finds what is left to do.
///
/// The batch of such a job is 1, and the timeout of its definition is for one step.
public protocol StepJob<Context>: Job {
  // Said again, so that it is inferred from the method below.
  associatedtype Context

  /// Does the next piece of the work, in a transaction of its own.
  ///
  /// - Returns: `.more` to be called again with the same value, `.done` after the last step; both
  ///   with what this step did.
  /// - Throws: as `BatchJob.run`. The step is rolled back, and what earlier ones did stays.
  mutating func step(in context: Context) async throws -> StepResult
}

extension StepJob {
  /// One run, worked step by step.
  public static func begin(
    _ runs: [(key: String, payload: String?)]
  ) -> @Sendable (Context) async throws -> StepResult {
    precondition(runs.count == 1, "\(definition.name): the batch of a StepJob is 1")
    let kept = Kept<Self>()
    return { context in
      var job = try kept.value ?? Self(key: runs[0].key, payload: runs[0].payload)
      let result = try await job.step(in: context)
      kept.value = job
      return result
    }
  }
}

/// What a step job knows between two steps.
private final class Kept<Value: Sendable>: Sendable {
  private let state = Mutex<Value?>(nil)

  var value: Value? {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }
}

/// What a step came to: how far its run is.
public enum StepResult: Sendable, Equatable {
  /// There is more to do; what this step did.
  case more(Report)
  /// The run is done; what this step did.
  case done(Report)
}
