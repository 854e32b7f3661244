package import BatonPostgres
import RunnerSQL

/// A database role's permission to read the states of a job's runs, and optionally to cancel them.
package struct JobGrant: Sendable, Equatable, Encodable {
  /// The stored name of the job.
  package let job: String
  /// The name of the role.
  package let role: String
  /// Whether the role may also cancel runs.
  package let mayCancel: Bool

  fileprivate var audited: [String: AuditValue] {
    ["role": .text(role), "may_cancel": .flag(mayCancel)]
  }
}

/// The error for a grant to a role that does not exist.
package struct MissingRole: Error, Sendable, Equatable {
  /// The name of the role.
  package let role: String
}

extension Queue {
  /// Allows a role to call `run_state`, and optionally `cancel_run`, for the runs of a job.
  ///
  /// If the call changes anything, it adds a row to the audit log.
  ///
  /// - Returns: the grant, or nil if no job has this name.
  /// - Throws: ``MissingRole`` or `PostgresError`.
  package func grant(_ job: String, to role: String, mayCancel: Bool) async throws -> JobGrant? {
    let job = try await storedName(of: job)
    guard try await activity()[job] != nil else { return nil }
    let new = JobGrant(job: job, role: role, mayCancel: mayCancel)
    return try await session.freely.transaction { transaction in
      let old = try await transaction.run(JobGrant.list(of: new.job, role))
      guard old != [new] else { return new }
      let count = try await transaction.run(
        .count(SQL.Runs.grantJob, new.job, role, mayCancel))
      guard count > 0 else { throw MissingRole(role: role) }
      try await transaction.record(
        AuditEntry(
          "jobs grant", ["job": .text(new.job)], before: old.first?.audited, after: new.audited))
      return new
    }
  }

  /// Revokes a role's grant for a job.
  ///
  /// If the call changes anything, it adds a row to the audit log.
  ///
  /// - Returns: whether the role had a grant.
  /// - Throws: `PostgresError`.
  package func revoke(_ job: String, from role: String) async throws -> Bool {
    let job = try await storedName(of: job)
    return try await session.freely.transaction { transaction in
      guard let old = try await transaction.run(JobGrant.list(of: job, role)).first else {
        return false
      }
      try await transaction.run(.count(SQL.Runs.revokeJob, job, role))
      try await transaction.record(
        AuditEntry("jobs revoke", ["job": .text(job)], before: old.audited))
      return true
    }
  }

  /// Returns the grants for a job, or for all jobs.
  ///
  /// - Throws: `PostgresError`.
  package func grants(of job: String? = nil) async throws(PostgresError) -> [JobGrant] {
    let job = try await storedName(of: job)
    return try await session.freely.atomically(JobGrant.list(of: job, nil))
  }
}

extension JobGrant {
  /// Lists grants.
  ///
  /// If an argument is nil, the grants are not filtered by it.
  fileprivate static func list(of job: String?, _ role: String?) -> Call<[JobGrant]> {
    .rows(SQL.Runs.listGrants, job, role) { (row) throws(PostgresError) in
      let (job, role, mayCancel) = try row.decode(String.self, String.self, Bool.self)
      return JobGrant(job: job, role: role, mayCancel: mayCancel)
    }
  }
}
