import BatonPostgres
import RunnerSQL

/// A selection of dead runs of one job, to retry or to discard.
package struct DeadSelection: Sendable, Hashable {
  /// The name of the job.
  package let job: String
  /// The group of dead runs, as ``DeadGroup/id``, or nil for all dead runs of the job.
  package let group: String?
  /// The maximum number of runs, oldest first.
  ///
  /// The remaining runs need further calls.
  package let limit: Int

  /// The maximum number of runs in one call, which takes a few hundred milliseconds.
  package static let most = 1_000

  /// Creates a selection of dead runs.
  package init(job: String, group: String? = nil, limit: Int = most) {
    self.job = job
    self.group = group
    self.limit = limit
  }

  /// The filter for the audit log, which contains no error text.
  var filter: [String: AuditValue] {
    var filter: [String: AuditValue] = ["state": "dead", "job": .text(job)]
    filter["group"] = group.map { .text($0) }
    filter["limit"] = .number(Int64(limit))
    return filter
  }
}

/// The result of retrying or discarding a selection of dead runs.
package struct SettledDead: Sendable, Equatable {
  /// The number of runs that were retried or discarded.
  package let dead: Int
  /// The number of runs that are ready now, or 0 if the runs were discarded.
  package let ready: Int
  /// The number of dead runs of this job or group that remain.
  ///
  /// More than 10,000 runs are not counted.
  package let left: Count
}

extension Queue {
  /// Retries a selection of dead runs, and adds one row to the audit log.
  ///
  /// - Throws: `PostgresError`.
  package func retry(_ selection: DeadSelection) async throws -> SettledDead {
    try await settle(selection, "runs retry") { ids, transaction in
      try await transaction.run(ReadyRun.retry(ids, of: nil)).count
    }
  }

  /// Deletes a selection of dead runs, and adds one row to the audit log.
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
