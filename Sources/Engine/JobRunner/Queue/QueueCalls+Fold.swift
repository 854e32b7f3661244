import BatonPostgres
import RunnerSQL

extension QueueCalls {
  /// Locks the cursor of the event log, and returns one element if the cursor could be locked.
  ///
  /// The returned element is true if the event log belongs to this cluster.
  static let lockCursor = Call.rows(SQL.Queue.lockCursor) { (row) throws(PostgresError) in
    try row.decode(Bool.self)
  }

  static let waitForCursor = Call<Void>.run(SQL.Queue.waitForCursor)

  /// Selects the events of the next fold, and returns whether more events remain.
  ///
  /// - Parameter storesTime: whether to store the time of the dispatch even if no events exist.
  static func advance(
    atMost limit: Int64 = Queue.mostEvents, storesTime: Bool = false
  ) -> Call<Bool> {
    .row(SQL.Queue.advancePosition, limit, storesTime) { (row) throws(PostgresError) in
      try row.decode(Bool.self)
    }
  }

  static func fold(atOnce: Bool) -> Call<Folded> {
    .row(SQL.Queue.fold, atOnce) { (row) throws(PostgresError) in
      let (events, runs, jobs) = try row.decode(Int64.self, Int64.self, String.self)
      return Folded(
        events: Int(events), runs: Int(runs), jobs: jobs.split(separator: "\n").map(String.init))
    }
  }
}
