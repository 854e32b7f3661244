import BatonPostgres
import RunnerSQL

extension QueueCalls {
  /// Locks the cursor of the event log, and returns one element if it could be locked.
  ///
  /// The returned element is true if the event log belongs to this cluster.
  static let lockCursor = Call.rows(SQL.Queue.lockCursor) { (row) throws(PostgresError) in
    try row.decode(Bool.self)
  }

  static let waitForCursor = Call<Void>.run(SQL.Queue.waitForCursor)

  /// Selects the events for the next fold, and returns whether it must fold in pieces.
  ///
  /// - Parameters:
  ///   - inPieces: whether the log has a backlog or large transactions. If the log has a backlog or
  ///     large transactions but `inPieces` is false, the call does not select any events and
  ///     returns true.
  ///   - storesTime: whether to store the time of the dispatch even if the log has no new events.
  static func advance(
    atMost limit: Int64 = Queue.mostEvents, inPieces: Bool, storesTime: Bool = false
  ) -> Call<Bool> {
    .row(inPieces ? SQL.Queue.advanceBacklog : SQL.Queue.advancePosition, limit, storesTime) {
      (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
  }

  /// Folds the events selected by the preceding call to `advance`.
  ///
  /// Pass the same value for `inPieces` to `advance` and `fold`.
  static func fold(atOnce: Bool, inPieces: Bool) -> Call<Folded> {
    .row(inPieces ? SQL.Queue.foldBacklog : SQL.Queue.fold, atOnce) {
      (row) throws(PostgresError) in
      let (events, runs, jobs, due, microseconds) = try row.decode(
        Int64.self, Int64.self, String.self, String.self, Int64.self)
      return Folded(
        events: Int(events), runs: Int(runs), jobs: jobs.split(separator: "\n").map(String.init),
        dueJobs: due.split(separator: "\n").map(String.init), took: .microseconds(microseconds))
    }
  }
}
