import BatonPostgres
import RunnerSQL

/// What a run carries, as somebody saw it who asked.
package enum CarriedPayloads: Sendable, Equatable {
  /// What the run of this id carries, each as indented JSON, in order: a hundred and 4 MiB at most, but always the first;
  /// and how many there are.
  case carried(Int64, [String], of: Int)
  /// The run of this id carries nothing any more, or not yet: it has ended in this state, or is `unfolded`.
  case nothing(Int64, String)
  /// There is no such run.
  case missing
}

extension Queue {
  /// What a run that waits, runs or is dead carries.
  ///
  /// Whoever looks on is not shown it, and for an operator who asks the audit has a row: nothing is shown that was not
  /// noted.
  ///
  /// - Parameter id: its id, or one of its earlier ones.
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
