/// A job that acts outside the database, for example a job that sends requests, emails or push
/// messages.
///
/// A worker claims a run, performs the run without an open transaction or connection, and completes
/// the run in a short transaction. Effects are delivered **at least once**. If the worker dies
/// after the effect and before the completion, the run is performed again with the same ``Run/id``.
/// Send the run's id to the other service as the idempotency key.
///
/// A worker performs many runs concurrently, but only one run of each key at a time. When a run
/// exceeds the timeout of the definition, the worker cancels the run's task. If a cancelled task is
/// still running after five seconds, the worker abandons the task and retries the run. An abandoned
/// task can no longer complete the run. A process that is suspended and resumed later may still
/// send its request.
public protocol EffectJob<Context>: Job {
  // `Context` is declared again so that the compiler infers `Context` from the method below.
  associatedtype Context

  /// The output that the run history stores: `Void`, or any value that encodes to at most 64 KB of
  /// JSON.
  associatedtype Output: Sendable = Void

  /// Performs one run.
  ///
  /// The runner calls this method on separate threads, so a blocking call does not delay other
  /// runs. If the method throws an error other than ``Permanent`` and ``Snooze``, the run is
  /// retried according to the job's retry policy.
  ///
  /// - Throws: ``Permanent`` if no retry can succeed, ``Snooze`` if the run must be performed
  ///   later.
  static func perform(_ run: Run<Self>, in context: Context) async throws -> Output
}
