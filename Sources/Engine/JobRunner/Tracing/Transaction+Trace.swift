package import BatonPostgres
import RunnerSQL
import Tracing

extension Transaction {
  /// Lets the events that this transaction writes from here on carry the trace of the task: the runs that come of
  /// them continue it, or link to it.
  ///
  /// One statement, and none where the program has no tracer or the task no trace. In SQL the same is
  /// `set_config('baton.traceparent', '00-…', true)`.
  ///
  /// - Throws: `PostgresError`.
  package func carryTrace() async throws(PostgresError) {
    guard let traceparent = RunSpans.currentTraceparent else { return }
    try await run(.run(SQL.Work.setTraceparent, traceparent))
  }
}
