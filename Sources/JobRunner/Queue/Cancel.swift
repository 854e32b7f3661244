public import Postgres
import RunnerSQL

/// What became of a wish to cancel a run.
public enum Cancellation: Sendable, Equatable {
  /// It was ready or dead and is taken out.
  case done
  /// It is running, and is not touched.
  case running
  /// There is no such run.
  case missing
}

extension Queue {
  /// Takes one run out that is ready or dead.
  ///
  /// - Throws: `PostgresError`.
  public func cancel(_ id: Int64) async throws(PostgresError) -> Cancellation {
    let cancel = Call.row(SQL.Runs.cancel, id) { (row) throws(PostgresError) in
      try row.decode(Bool.self, String?.self)
    }
    let (isDone, state): (Bool, String?) = try await session.freely.atomically(cancel)
    if isDone { return .done }
    return state == nil ? .missing : .running
  }
}
