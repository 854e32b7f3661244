import CLibPQ

/// The calls that one round trip has sent, and how many of their results have been read.
struct SentBatch {
  /// The calls that are sent before the actual calls.
  let opening: [Call<Void>]
  /// The task that waits for the results.
  let task: CurrentTask
  /// The observer of its statements; nil: there is none.
  var observed = ObservedRoundTrip()
  /// For each call that was sent, the name of the PREPARE that was sent before it.
  var prepares: [String?] = []
  var preparing: [String: Statement] = [:]
  var received = 0
  var failure: PostgresError?

  mutating func check(_ sent: Int32, _ handle: borrowing ConnectionHandle) {
    guard sent != 1, failure == nil else { return }
    failure = handle.failure()
  }
}
