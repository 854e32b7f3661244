import BatonJobs
public import BatonPostgres
import RunnerSQL

extension Transaction {
  /// Sends an event in this transaction to all runs that are waiting for the topic and the key.
  ///
  /// The event is sent only if the transaction commits. Runs that begin to wait after the event was
  /// sent also find it. The transaction must use Baton's schema, as a job's transaction does.
  ///
  /// ```swift
  /// try await transaction.sendEvent("order.paid", key: "7")
  /// ```
  /// - Throws: `PostgresError` with SQLSTATE ZB006 if the topic or the key is invalid.
  public func sendEvent(_ topic: String, key: String) async throws(PostgresError) {
    try await run(.run(SQL.Runs.sendEvent, topic, key, String?.none))
  }

  /// Sends an event with a payload, like ``sendEvent(_:key:)``.
  ///
  /// - Parameter payload: the payload, whose JSON can be at most 64 KB.
  /// - Throws: `EncodingError`, or `PostgresError` with one of the following codes:
  ///   - ZB006: The topic or the key is invalid.
  ///   - ZB007: The payload is too large.
  public func sendEvent(_ topic: String, key: String, payload: some Encodable) async throws {
    try await run(.run(SQL.Runs.sendEvent, topic, key, try AwaitedEvent.json(payload)))
  }
}
