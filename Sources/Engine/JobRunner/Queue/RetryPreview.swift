import BatonPostgres
import RunnerSQL

/// Finds the dead runs in a selection that a retry would leave dead, without changing anything.
///
/// A retry processes runs in order of id. If several dead runs with the same key have a checkpoint,
/// only the first of them is retried. A dead run with a checkpoint is not retried if another run
/// with the same key has begun.
package struct RetryPreview {
  /// The keys for which the retry would make a run ready.
  private var begun: Set<RunSubject> = []

  /// Creates a preview without runs.
  package init() {}

  /// Adds the selection's next runs, oldest first.
  ///
  /// - Returns: those of the given runs that a retry would make ready.
  /// - Throws: `PostgresError`.
  package mutating func add(_ dead: [ListedRun], of queue: Queue) async throws -> [ListedRun] {
    let list = Call.rows(SQL.Runs.listResumable, dead.map(\.id)) { (row) throws(PostgresError) in
      try row.decode(Int64.self, Bool.self)
    }
    let resumable: [(Int64, Bool)] = try await queue.session.freely.atomically(list)
    let isTaken = Dictionary(resumable) { first, _ in first }
    var ready: [ListedRun] = []
    for run in dead {
      if let isTaken = isTaken[run.id] {
        let subject = RunSubject(job: run.job, key: run.key)
        guard !isTaken, begun.insert(subject).inserted else { continue }
      }
      ready.append(run)
    }
    return ready
  }
}
