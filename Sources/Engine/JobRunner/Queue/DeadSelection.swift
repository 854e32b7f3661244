import BatonPostgres
import RunnerSQL

/// A selection of dead runs to retry or discard.
package struct DeadSelection: Sendable, Hashable {
  /// The selection by job and key.
  package let selected: RunSelection
  /// The group of dead runs, as ``DeadGroup/id``, or nil for all groups.
  ///
  /// If a group is given, only the newest 20,000 dead runs of the job are compared with the group.
  package let group: String?
  /// The maximum number of runs, oldest first, or nil for ``most``.
  ///
  /// Further calls can process the selection's remaining runs.
  package let limit: Int?

  /// The maximum number of runs in one call.
  ///
  /// A call with the maximum number of runs takes a few hundred milliseconds.
  package static let most = 1_000

  /// Creates a selection of dead runs.
  package init(_ runs: RunSelection = RunSelection(), group: String? = nil, limit: Int? = nil) {
    selected = runs
    self.group = group
    self.limit = limit
  }

  /// Returns a copy of the selection that contains the job's stored name.
  fileprivate func stored(in queue: Queue) async throws(PostgresError) -> DeadSelection {
    DeadSelection(try await selected.stored(in: queue), group: group, limit: limit)
  }

  /// The fields that describe the selection in the audit log, without any error text.
  fileprivate var fields: [String: AuditValue] {
    var fields = selected.fields
    fields["state"] = "dead"
    fields["group"] = group.map { .text($0) }
    fields["limit"] = limit.map { .number(Int64($0)) }
    return fields
  }

  /// Locks and lists the runs of the selection.
  ///
  /// - Parameters:
  ///   - ids: the ids to which the selection is limited, or nil for all of its runs.
  ///   - last: the id after which the selection begins.
  func lock(_ ids: [Int64]? = nil, after last: Int64? = nil) -> Call<[ListedRun]> {
    .rows(
      SQL.Runs.lockDead, ids, selected.job, selected.keyPrefix, group, last,
      ids == nil ? Int64(limit ?? Self.most) : nil, decode: ListedRun.decode)
  }
}

/// The result of retrying or discarding a selection of dead runs.
package struct SettledDead: Sendable {
  /// The runs that were retried or discarded, and the runs in ``taken``, oldest first.
  package let dead: [ListedRun]
  /// The runs that stay dead, because another run with the same key has not ended (``KeyIsTaken``).
  package let taken: [Int64]
  /// The runs that are ready after the retry.
  ///
  /// The list is empty if the runs were discarded.
  package let ready: [RetriedRun]
}

extension Queue {
  /// Retries a selection of dead runs, and adds one row to the audit log.
  ///
  /// - Parameter last: the id after which the selection begins. If a selection is processed in
  ///   pieces, `last` prevents runs that have died again from being retried endlessly.
  /// - Throws: `PostgresError`.
  package func retry(
    _ selection: DeadSelection, after last: Int64? = nil
  ) async throws -> SettledDead {
    try await settle(selection, after: last, "runs retry") { dead, transaction in
      try await transaction.lockBatches(of: dead)
      let ready = try await transaction.run(RetriedRun.retry(dead.map(\.id)))
      try await transaction.run(RetriedRun.reopenMembers(of: dead))
      return ready
    }
  }

  /// Deletes a selection of dead runs, and adds one row to the audit log.
  ///
  /// - Parameter last: the id after which the selection begins.
  /// - Throws: `PostgresError`.
  package func discard(
    _ selection: DeadSelection, after last: Int64? = nil
  ) async throws -> SettledDead {
    try await settle(selection, after: last, "runs discard") { dead, transaction in
      try await transaction.run(.count(SQL.Runs.discard, dead.map(\.id)))
      return []
    }
  }

  /// Counts the dead runs that remain in a selection after a retry or a discard.
  ///
  /// The count is a separate transaction. In the transaction of a retry, the count would lock the
  /// retried runs for longer, and thereby delay the dispatch of all events.
  ///
  /// - Returns: the number of dead runs. A number above 10,000 is an estimate. If the selection has
  ///   a group, only the newest 20,000 dead runs of the job are counted.
  /// - Throws: `PostgresError`, with SQLSTATE 57014 if the count takes longer than 2 s.
  package func countLeft(of selection: DeadSelection) async throws -> Count {
    let selection = try await selection.stored(in: self)
    let count = Call.row(
      SQL.Runs.countDeadLeft, selection.selected.job, selection.selected.keyPrefix, selection.group
    ) { (row) throws(PostgresError) in try row.decode(Int64.self) }
    // The retry is already committed, so a slow count must not delay its response.
    let (_, left) = try await session.freely.atomically(
      Call<Void>.run(.limitDuration, "2000ms"), count)
    return Count(value: Int(left), isEstimate: left > Count.most)
  }

  /// Returns a selection of dead runs, oldest first.
  ///
  /// - Parameter last: the id after which the selection begins.
  /// - Throws: `PostgresError`.
  package func deadRuns(
    _ selection: DeadSelection, after last: Int64? = nil
  ) async throws -> [ListedRun] {
    let selection = try await selection.stored(in: self)
    return try await session.freely.atomically(selection.lock(after: last))
  }

  private func settle(
    _ selection: DeadSelection, after last: Int64?, _ action: String,
    _ body: ([ListedRun], Transaction) async throws -> [RetriedRun]
  ) async throws -> SettledDead {
    let selection = try await selection.stored(in: self)
    return try await session.freely.transaction { transaction in
      let dead = try await transaction.run(selection.lock(after: last))
      let settled = dead.isEmpty ? [] : try await body(dead, transaction)
      let ready = settled.filter { !$0.staysDead }
      let taken = settled.filter(\.staysDead).map(\.id)
      if dead.count > taken.count {
        try await transaction.record(
          AuditEntry(
            action, filter: selection.fields, count: dead.count - taken.count,
            after: ready.isEmpty ? nil : ["ready": .number(Int64(ready.count))]))
      }
      return SettledDead(dead: dead, taken: taken, ready: ready)
    }
  }
}
