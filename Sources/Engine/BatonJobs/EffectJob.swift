/// A job whose work is outside of the database: a request to another service, an email, a push message.
///
/// A worker claims a run, performs it without an open transaction or connection, and completes it in a short
/// transaction. **At least once**: if the worker dies after the effect and before the completion, the run is
/// performed again with the same ``Run/id``. Send that id to the other service as the idempotency key.
///
/// A worker performs many runs at the same time, but only one run of a key. The timeout of the definition cancels the
/// task. If the task still runs five seconds later, the worker gives it up and the run is retried; the abandoned task
/// can no longer complete the run. A process that is frozen and later continues may still send.
public protocol EffectJob<Context>: Job {
  // Declared again, so that the compiler infers it from the method below.
  associatedtype Context

  /// What the history of runs stores: nothing, or any value that encodes to at most 64 KB of JSON.
  associatedtype Output: Sendable = Void

  /// Does the work of one run.
  ///
  /// It is called on separate threads: a call that blocks does not delay other work.
  ///
  /// - Throws: ``Permanent`` if no retry can succeed, ``Snooze`` if the run must be performed later. After any other
  ///   error the run is retried as its definition says.
  static func perform(_ run: Run<Self>, in context: Context) async throws -> Output
}
