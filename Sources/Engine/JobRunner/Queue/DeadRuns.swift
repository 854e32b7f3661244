import BatonPostgres
import RunnerSQL

/// A dead run that is ready again after a retry.
package struct RetriedRun: Sendable, Equatable {
  /// The id of the run.
  package let id: Int64
  /// The number of dead runs that were merged into this run.
  package let dead: Int
}

/// The error for runs that are not dead or do not exist.
package struct NotDead: Error, Sendable, Equatable {
  /// The ids of these runs.
  package let ids: [Int64]
}

extension Queue {
  /// Retries one dead run, all dead runs of a job, or all dead runs.
  ///
  /// The method adds one row to the audit log.
  ///
  /// - Returns: the runs that are ready now. If a run was not merged with other runs, it has the id
  ///   of its dead run.
  /// - Throws: `PostgresError`.
  package func retry(id: Int64?, job: String?) async throws -> [RetriedRun] {
    let retry = ReadyRun.retry(id.map { [$0] }, of: job)
    return try await session.freely.transaction { transaction in
      let ready = try await transaction.run(retry)
      if let id, let one = ready.first {
        try await transaction.record(
          AuditEntry(
            "runs retry", .run(id, one.job, one.key), before: ["state": "dead"],
            after: ["state": "ready", "run": .number(one.run.id)]))
      } else if !ready.isEmpty {
        try await transaction.record(
          AuditEntry(
            "runs retry", filter: .dead(of: job), count: ready.reduce(0) { $0 + $1.run.dead },
            after: ["ready": .number(Int64(ready.count))]))
      }
      return ready.map(\.run)
    }
  }

  /// Deletes the dead runs with these ids, all dead runs of a job, or all dead runs.
  ///
  /// If one of the ids does not belong to a dead run, no run is deleted. The method adds one row to
  /// the audit log.
  ///
  /// - Parameters:
  ///   - ids: the ids of the runs, or nil for all runs.
  ///   - job: the job of the runs, or nil for any job.
  ///   - isDryRun: whether the runs are only returned and not deleted.
  /// - Returns: the selected dead runs.
  /// - Throws: ``NotDead``, `PostgresError`. After an error, no run is deleted.
  package func discard(
    ids: [Int64]?, job: String?, isDryRun: Bool
  ) async throws -> [ListedRun] {
    try await session.freely.transaction { transaction in
      let dead = try await transaction.run(
        .rows(SQL.Runs.lockDead, ids, job, decode: ListedRun.decode))
      let missing = Set(ids ?? []).subtracting(dead.map(\.id))
      guard missing.isEmpty else { throw NotDead(ids: missing.sorted()) }
      guard !isDryRun, let one = dead.first else { return dead }
      try await transaction.run(.count(SQL.Runs.discard, dead.map(\.id)))
      try await transaction.record(
        ids?.count == 1
          ? AuditEntry(
            "runs discard", .run(one.id, one.job, one.key),
            before: ["state": "dead", "attempt": .number(Int64(one.attempt))])
          : AuditEntry(
            "runs discard",
            filter: ids.map { ["ids": .list($0.map { .number($0) })] } ?? .dead(of: job),
            count: dead.count))
      return dead
    }
  }
}

/// A run that is ready after a retry, with its job and key.
struct ReadyRun: Sendable {
  let run: RetriedRun
  let job, key: String

  static func retry(_ ids: [Int64]?, of job: String?) -> Call<[ReadyRun]> {
    .rows(SQL.Runs.retry, ids, job) { (row) throws(PostgresError) in
      let (id, dead, job, key) = try row.decode(Int64.self, Int64.self, String.self, String.self)
      return ReadyRun(run: RetriedRun(id: id, dead: Int(dead)), job: job, key: key)
    }
  }
}

extension [String: AuditValue] {
  /// Returns the subject of an audit entry about one run.
  static func run(_ id: Int64, _ job: String, _ key: String) -> Self {
    ["run": .number(id), "job": .text(job), "key": .text(key)]
  }

  /// Returns the filter of an audit entry about the dead runs of a job, or of all jobs.
  fileprivate static func dead(of job: String?) -> Self {
    job.map { ["state": "dead", "job": .text($0)] } ?? ["state": "dead"]
  }
}
