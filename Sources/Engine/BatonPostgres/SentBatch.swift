import CLibPQ

/// The calls that were sent in one round trip, and the number of results that have been read.
struct SentBatch {
  /// The calls that are sent before the caller's calls, such as BEGIN.
  let opening: [Call<Void>]
  /// The task that is waiting for the results.
  let task: CurrentTask
  /// Whether each call is sent only after the result of the previous call.
  let isStepwise: Bool
  /// The observer of the statements, or nil if no observer is set.
  var observed = ObservedRoundTrip()
  /// For each sent call, the name of the statement that was prepared for the call, if any.
  var prepares: [String?] = []
  var preparing: [String: Statement] = [:]
  var received = 0
  var failure: PostgresError?
  /// Whether a call failed because the server no longer accepts its prepared statement.
  var isOutdated = false

  mutating func check(_ sent: Int32, _ handle: borrowing ConnectionHandle) {
    guard sent != 1, failure == nil else { return }
    failure = handle.failure()
  }
}
