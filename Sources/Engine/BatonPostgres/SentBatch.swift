import CLibPQ

/// What one round trip has sent, and how far its answers have been read.
struct SentBatch {
  /// What goes ahead of the calls.
  let opening: [Call<Void>]
  /// Who waits for the answers.
  let task: CurrentTask
  /// Who hears of its statements; nil: nobody.
  var observed = ObservedRoundTrip()
  /// For each call sent, the name of the PREPARE that went ahead of it.
  var prepares: [String?] = []
  var preparing: [String: Statement] = [:]
  var received = 0
  var failure: PostgresError?

  mutating func check(_ sent: Int32, _ handle: borrowing ConnectionHandle) {
    guard sent != 1, failure == nil else { return }
    failure = handle.failure()
  }
}
