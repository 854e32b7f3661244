package import BatonPostgres
import RunnerSQL
import Tracing

extension Transaction {
  /// Adds the trace of the current task to all events that this transaction writes afterwards.
  ///
  /// The runs of these events continue the trace or link to it. The call sends one statement, or
  /// none if the program has no tracer or the task has no trace. The equivalent SQL is
  /// `set_config('baton.traceparent', '00-…', true)`.
  ///
  /// - Throws: `PostgresError`.
  package func carryTrace() async throws(PostgresError) {
    guard let traceparent = RunSpans.currentTraceparent else { return }
    try await run(.run(SQL.Work.setTraceparent, traceparent))
  }
}
