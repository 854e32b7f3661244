import BatonPostgres
import RunnerSQL

/// The payloads of a run, as shown to an operator.
package enum CarriedPayloads: Sendable, Equatable {
  /// The run's id, the payloads in order as indented JSON, and the total number of payloads.
  ///
  /// The list contains at most 100 payloads and 4 MiB. The first payload is always included, even
  /// if it is larger than 4 MiB.
  case carried(Int64, [String], of: Int)
  /// The run with this id has no payload, because it has ended, or because its event has not been
  /// dispatched (`unfolded`).
  ///
  /// The string is the run's state.
  case nothing(Int64, String)
  /// The run does not exist.
  case missing
}

extension Queue {
  /// Returns the payloads of a run that is waiting, running or dead.
  ///
  /// The observer role has no permission to read payloads. If an operator reads payloads, the
  /// reading transaction also adds a row to the audit log.
  ///
  /// - Parameter id: the run's id, or one of its earlier ids.
  /// - Throws: `PostgresError`.
  package func payloads(of id: Int64) async throws -> CarriedPayloads {
    guard let run = try await find(id) else { return .missing }
    guard !run.hasEnded, ["ready", "running", "dead"].contains(run.state) else {
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
