/// A job whose work is outside of the database: a request to another service, a mail, a push.
///
/// A run is claimed, performed with no transaction open and no connection held, and ended in a short transaction.
/// **At least once**: whoever dies between the effect and its end leaves a run that is performed again, with the
/// same ``Run/id``. Give that to the other side as the idempotency key.
///
/// One run at a time of a key, and many at once a worker. The timeout of its definition cancels the task; one that
/// goes on for five seconds after that is given up: its run is tried again, and what it still does finds nothing
/// to end. Nothing can stop a process that is frozen and goes on later from sending.
public protocol EffectJob<Context>: Job {
  // Said again, so that it is inferred from the method below.
  associatedtype Context

  /// What is kept in the history of runs: nothing, or anything that can be written as JSON of 64 KB at most.
  associatedtype Output: Sendable = Void

  /// Does the work of one run.
  ///
  /// It is called on threads of its own: one that blocks holds up nobody else.
  ///
  /// - Throws: ``Permanent`` for what no retry can mend, ``Snooze`` for what is not to be done yet; any other
  ///   error is retried as the definition says.
  static func perform(_ run: Run<Self>, in context: Context) async throws -> Output
}
