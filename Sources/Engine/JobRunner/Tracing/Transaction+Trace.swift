package import BatonPostgres
import RunnerSQL
import Tracing

extension Transaction {
  /// Adds the trace context of the current task to all events that this transaction writes after
  /// the call.
  ///
  /// The runs that the transaction's events trigger continue the task's trace or link to it. The
  /// call sends one statement, or none if the program has no tracer or the task has no trace. The
  /// equivalent SQL is `set_config('baton.traceparent', '00-…', true)`.
  ///
  /// - Throws: `PostgresError`.
  package func carryTrace() async throws(PostgresError) {
    guard let traceparent = RunSpans.currentTraceparent else { return }
    try await run(.run(SQL.Work.setTraceparent, traceparent))
  }
}
