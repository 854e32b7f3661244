import BatonPostgres
import RunnerSQL

/// The payloads of a run, as an operator reads them.
package enum CarriedPayloads: Sendable, Equatable {
  /// The payloads of the run with this id, each as indented JSON, in order; and their number.
  ///
  /// At most 100 payloads and 4 MiB, but always the first one.
  case carried(Int64, [String], of: Int)
  /// The run with this id has no payload now: it has ended in this state, or is `unfolded`.
  case nothing(Int64, String)
  /// There is no such run.
  case missing
}

extension Queue {
  /// Returns the payloads of a run that waits, is running or is dead.
  ///
  /// The observer role may not read them. When an operator reads them, the audit log gets a row in the same
  /// transaction, so no payload is shown without a record.
  ///
  /// - Parameter id: its id, or one of its earlier ids.
  /// - Throws: `PostgresError`.
  package func payloads(of id: Int64) async throws -> CarriedPayloads {
    guard let run = try await find(id) else { return .missing }
    guard ["ready", "running", "dead"].contains(run.state) else {
      return .nothing(run.id, run.state)
    }
    let show = Call.rows(SQL.Runs.showPayloads, run.id, run.job, run.key) {
      (row) throws(PostgresError) in try row.decode(String.self, Int64.self)
    }
    return try await session.freely.transaction { transaction in
      let shown = try await transaction.run(show)
      guard let count = shown.first?.1 else { return .carried(run.id, [], of: 0) }
      try await transaction.record(
        AuditEntry("runs payload", .run(run.id, run.job, run.key)))
      return .carried(run.id, shown.map(\.0), of: Int(count))
    }
  }
}
