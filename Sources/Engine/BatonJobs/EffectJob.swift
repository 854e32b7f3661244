/// A job that acts outside the database, such as a request to another service, an email or a push
/// message.
///
/// A worker claims a run, performs it without an open transaction or connection, and completes it
/// in a short transaction. Effects are delivered **at least once**. If the worker dies after the
/// effect and before the completion, the run is performed again with the same ``Run/id``. Send the
/// run's id to the other service as the idempotency key.
///
/// A worker performs many runs at the same time, but only one run of each key. When a run exceeds
/// the timeout of the definition, the worker cancels the run's task. If a cancelled task still runs
/// after five seconds, the worker abandons the task and the run is retried. An abandoned task can
/// no longer complete the run. A process that is suspended and resumed later may still send its
/// request.
public protocol EffectJob<Context>: Job {
  // `Context` is declared again so that the compiler infers it from the method below.
  associatedtype Context

  /// The output that the run history stores: `Void`, or any value that encodes to at most 64 KB of
  /// JSON.
  associatedtype Output: Sendable = Void

  /// Performs one run.
  ///
  /// The runner calls this method on separate threads, so a blocking call does not delay other
  /// runs. After an error other than ``Permanent`` and ``Snooze``, the run is retried as its
  /// definition says.
  ///
  /// - Throws: ``Permanent`` if no retry can succeed, ``Snooze`` if the run must be performed
  ///   later.
  static func perform(_ run: Run<Self>, in context: Context) async throws -> Output
}
