package import BatonPostgres
import RunnerSQL
import Tracing

extension Transaction {
  /// Adds the trace of the current task to the events that this transaction writes from here on.
  ///
  /// The runs of these events continue the trace, or link to it. It takes one statement, or none if the program has
  /// no tracer or the task has no trace. In SQL the same is `set_config('baton.traceparent', '00-…', true)`.
  ///
  /// - Throws: `PostgresError`.
  package func carryTrace() async throws(PostgresError) {
    guard let traceparent = RunSpans.currentTraceparent else { return }
    try await run(.run(SQL.Work.setTraceparent, traceparent))
  }
}
