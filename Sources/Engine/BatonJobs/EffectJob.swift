public import Foundation

/// A job that acts outside the database, for example by sending requests, emails or push messages.
///
/// A worker claims a run, performs the run without an open transaction or connection, and completes
/// the run in a short transaction. Effects are delivered **at least once**. If the worker dies
/// after the effect and before the completion, the run is performed again with the same ``Run/id``.
/// Send the run's id as the idempotency key to the service that the job calls.
///
/// A worker performs many runs concurrently, but only one run of each key at a time. When a run
/// exceeds the definition's timeout, the worker cancels the run's task. If a cancelled task is
/// still running after five seconds, the worker abandons the task and retries the run. An abandoned
/// task can no longer complete the run. An abandoned task may still send its request if the
/// worker's process is suspended and later resumed.
public protocol EffectJob<Context>: Job {
  // `Context` is declared again so that the compiler infers `Context` from the `perform` method.
  associatedtype Context

  /// The output that the run history stores: `Void`, or any value that encodes to at most 64 KB of
  /// JSON.
  ///
  /// If an output is larger or cannot be encoded, the run is completed without its output.
  associatedtype Output: Sendable = Void

  /// Performs one run.
  ///
  /// The runner calls this method on separate threads, so a blocking call does not delay other
  /// runs. If the method throws an error other than ``Permanent`` or ``Snooze``, the run is retried
  /// according to the job's retry policy.
  ///
  /// - Throws: ``Permanent`` if no retry can succeed, ``Snooze`` if the run must be performed
  ///   later.
  static func perform(_ run: Run<Self>, in context: Context) async throws -> Output
}

extension Run where J: EffectJob {
  /// Performs a durable step of the run, or returns the step's result if an earlier attempt stored
  /// it.
  ///
  /// After `perform` has returned, the runner stores the result. Later attempts return the stored
  /// result, and do not perform the step again. A step is performed **at least once**. If the
  /// worker dies before the result is stored, the next attempt performs the step again with the
  /// same idempotency key.
  ///
  /// ```swift
  /// let charge = try await run.step("charge") { key in
  ///   try await payments.charge(run.payload.amount, idempotencyKey: key)
  /// }
  /// ```
  /// A run with a stored step keeps its id, key and payload until it ends. Later requests with the
  /// run's key are merged into another run, which waits until this run ends. Change the result's
  /// type only as docs/guides/changing-payloads.md describes, because another release of the
  /// program may decode the result.
  ///
  /// If a test creates the run itself, the step is performed, and its result is not stored.
  ///
  /// - Parameters:
  ///   - name: the name of the step, which must be unique within the job: 1 to 100 ASCII letters,
  ///     digits, hyphens, underscores and dots.
  ///   - perform: performs the effect. The closure gets the idempotency key, which is the run's id,
  ///     a slash and the step's name.
  /// - Returns: the result of the step. The result's JSON can be at most 64 KB.
  /// - Throws: any error that `perform` throws. The method also throws an error if the name is
  ///   invalid or already used in this attempt. The method also fails if the result is too large,
  ///   if it cannot be encoded or decoded, or if another worker has claimed the run.
  @discardableResult
  public func step<Result: Codable & Sendable>(
    _ name: String, _ perform: (_ idempotencyKey: String) async throws -> Result
  ) async throws -> Result {
    try await header.step(name, perform)
  }

  /// Performs a durable step that returns no value, unless an earlier attempt has performed it.
  ///
  /// - Parameters:
  ///   - name: the name of the step, which must be unique within the job.
  ///   - perform: performs the effect with the idempotency key.
  /// - Throws: the same errors as a step with a result.
  public func step(
    _ name: String, _ perform: (_ idempotencyKey: String) async throws -> Void
  ) async throws {
    _ = try await header.step(name) { key -> NoStepResult in
      try await perform(key)
      return NoStepResult()
    }
  }

  /// Postpones the run until a given time, without occupying a worker.
  ///
  /// The first call stores the time as a durable step, and ends the attempt with a ``Snooze``. An
  /// attempt that starts to sleep is not counted, and the sleeping run does not count towards any
  /// limit. In the next attempt, the job is performed again from the beginning. Stored steps return
  /// their results, and the run continues after the sleep. Later attempts use the time that the
  /// first call stored.
  ///
  /// If a test creates the run itself, or drains a `JobTest`, the sleep ends immediately.
  ///
  /// - Parameters:
  ///   - name: the name of the sleep, which must be unique among the names of the job's steps.
  ///   - instant: the time when the run continues, according to the server's clock.
  /// - Throws: a ``Snooze``, which the job must not catch, or any error of a durable step.
  public func sleep(_ name: String, until instant: Date) async throws {
    try await header.sleep(name, until: instant)
  }
}
