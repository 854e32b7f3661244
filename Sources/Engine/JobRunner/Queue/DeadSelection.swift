import BatonPostgres
import RunnerSQL

/// Some dead runs of one job, to be settled manually.
package struct DeadSelection: Sendable, Hashable {
  /// The job's name.
  package let job: String
  /// The id of one of its groups: ``DeadGroup/id``; nil: all of its dead runs.
  package let group: String?
  /// The most runs, the oldest first; the rest is left for another call.
  package let limit: Int

  /// The most runs in one call: a transaction of a few hundred milliseconds.
  package static let most = 1_000

  /// Selects dead runs of a job.
  package init(job: String, group: String? = nil, limit: Int = most) {
    self.job = job
    self.group = group
    self.limit = limit
  }

  /// The filter for the audit log; it holds no error text.
  var filter: [String: AuditValue] {
    var filter: [String: AuditValue] = ["state": "dead", "job": .text(job)]
    filter["group"] = group.map { .text($0) }
    filter["limit"] = .number(Int64(limit))
    return filter
  }
}

/// The result of settling some dead runs.
package struct SettledDead: Sendable, Equatable {
  /// The number of runs that were settled.
  package let dead: Int
  /// The number of runs that are ready now; 0 if they were discarded.
  package let ready: Int
  /// How many similar runs are left; more than 10,000 are not counted.
  package let left: Count
}

extension Queue {
  /// Retries some dead runs; the audit log gets one row.
  ///
  /// - Throws: `PostgresError`.
  package func retry(_ selection: DeadSelection) async throws -> SettledDead {
    try await settle(selection, "runs retry") { ids, transaction in
      try await transaction.run(ReadyRun.retry(ids, of: nil)).count
    }
  }

  /// Removes some dead runs; the audit log gets one row.
  ///
  /// - Throws: `PostgresError`.
  package func discard(_ selection: DeadSelection) async throws -> SettledDead {
    try await settle(selection, "runs discard") { ids, transaction in
      try await transaction.run(.count(SQL.Runs.discard, ids))
      return 0
    }
  }

  private func settle(
    _ selection: DeadSelection, _ action: String,
    _ body: ([Int64], Transaction) async throws -> Int
  ) async throws -> SettledDead {
    let pick = Call.rows(
      SQL.Runs.pickDead, selection.job, selection.group, Int64(selection.limit)
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    let count = Call.row(SQL.Runs.countDeadLeft, selection.job, selection.group) {
      (row) throws(PostgresError) in try row.decode(Int64.self)
    }
    return try await session.freely.transaction { transaction in
      let ids = try await transaction.run(pick)
      let ready = ids.isEmpty ? 0 : try await body(ids, transaction)
      let left = try await transaction.run(count)
      if !ids.isEmpty {
        try await transaction.record(
          AuditEntry(
            action, filter: selection.filter, count: ids.count,
            after: ready > 0 ? ["ready": .number(Int64(ready))] : nil))
      }
      return SettledDead(
        dead: ids.count, ready: ready,
        left: Count(value: Int(left), isEstimate: left > Count.most))
    }
  }
}
