import BatonPostgres
import RunnerSQL

/// The limits and the pause that an operator has set for a job or for one of its groups.
package struct SetLimits: Sendable, Equatable, Encodable {
  /// The job's stored name.
  package let job: String
  /// The name of the group, or nil for the job itself.
  package let group: String?
  /// The operator's limit on concurrent runs, or nil if no operator has set one.
  package let concurrency: Int?
  /// The declared maximum number of concurrent runs, or nil for no limit.
  package let declaredConcurrency: Int?
  /// The operator's limit on concurrent runs per group, or nil if no operator has set one.
  package let groupConcurrency: Int?
  /// The declared maximum number of concurrent runs per group, or nil for no limit.
  package let declaredGroupConcurrency: Int?
  /// The time of the pause in UTC and ISO 8601 format, or nil if the group is not paused.
  package let pausedSince: String?
}

/// The error for a group of a job that has no limits per group.
package struct NoGroups: Error, Sendable, Equatable {
  /// The job's name.
  package let job: String
}

extension Queue {
  /// A change of limits.
  package enum LimitChange: Sendable, Equatable {
    /// The change sets a limit.
    case set(Int)
    /// The change removes the operator's limit, so that the declared limit applies.
    case reset
    /// The change does not affect the limit.
    case keep

    fileprivate func applied(to old: Int?) -> Int? {
      switch self {
      case .set(let number): number
      case .reset: nil
      case .keep: old
      }
    }
  }

  /// Sets concurrency limits that override a job's declared limits.
  ///
  /// The limits remain until an operator resets them, even if programs register the job again. If
  /// the call changes anything, it adds a row to the audit log.
  ///
  /// - Returns: whether a job has this name.
  /// - Throws: ``NoGroups`` if the job has no limit per group, or `PostgresError`.
  package func setLimits(
    of job: String, _ concurrency: LimitChange, perGroup: LimitChange
  ) async throws -> Bool {
    let job = try await storedName(of: job)
    return try await session.freely.transaction { transaction in
      guard let old = try await transaction.run(StoredLimits.read(job)).first else { return false }
      let new = (concurrency.applied(to: old.set), perGroup.applied(to: old.setPerGroup))
      if case .set = perGroup, !old.hasGroups { throw NoGroups(job: job) }
      guard new != (old.set, old.setPerGroup) else { return true }
      try await transaction.run(
        .count(
          SQL.Workers.setLimits, job, new.0.map { Int32(clamping: $0) },
          new.1.map { Int32(clamping: $0) }))
      try await transaction.run(.count(SQL.Queue.countRunning, job))
      try await transaction.record(
        AuditEntry(
          "limits set", ["job": .text(job)], before: Self.audited(old.set, old.setPerGroup),
          after: Self.audited(new.0, new.1)))
      return true
    }
  }

  /// Sets the concurrency limit of one group.
  ///
  /// If the call changes anything, it adds a row to the audit log.
  ///
  /// - Returns: whether a job has this name.
  /// - Throws: ``NoGroups`` if the job has no limit per group, or `PostgresError`.
  package func setLimit(
    of group: String, in job: String, _ concurrency: LimitChange
  ) async throws -> Bool {
    try await change(group, in: job) { old in
      let new = GroupState(
        concurrency: concurrency.applied(to: old.concurrency), isPaused: old.isPaused)
      return (
        new,
        AuditEntry(
          "limits set", Self.subject(job, group), before: Self.audited(old.concurrency),
          after: Self.audited(new.concurrency))
      )
    }
  }

  /// Pauses or resumes one group.
  ///
  /// While the group is paused, none of its runs start.
  ///
  /// If the call changes anything, it adds a row to the audit log.
  ///
  /// - Returns: whether a job has this name.
  /// - Throws: ``NoGroups`` if the job has no limit per group, or `PostgresError`.
  package func setPaused(
    _ isPaused: Bool, group: String, job: String
  ) async throws -> Bool {
    try await change(group, in: job) { old in
      (
        GroupState(concurrency: old.concurrency, isPaused: isPaused),
        .pause(isPaused, of: "jobs", Self.subject(job, group))
      )
    }
  }

  /// Returns the limits and pauses that operators have set.
  ///
  /// - Parameter job: the job, or nil for all jobs.
  /// - Throws: `PostgresError`.
  package func setLimits(of job: String? = nil) async throws -> [SetLimits] {
    let job = try await storedName(of: job)
    return try await session.freely.atomically(SetLimits.list(job))
  }

  // MARK: One group

  /// The limit and the pause that an operator has set for one group.
  private struct GroupState: Equatable {
    let concurrency: Int?
    let isPaused: Bool

    /// Whether the change from `old` to this state ends a limit or a pause and does not add one.
    func ends(_ old: GroupState) -> Bool {
      self != old && (!isPaused || old.isPaused)
        && (concurrency == nil || concurrency == old.concurrency)
    }
  }

  private func change(
    _ group: String, in job: String, _ change: (GroupState) -> (GroupState, AuditEntry)
  ) async throws -> Bool {
    let job = try await storedName(of: job)
    return try await session.freely.transaction { transaction in
      guard let limits = try await transaction.run(StoredLimits.read(job)).first else {
        return false
      }
      let stored = try await transaction.run(SetLimits.list(job, group)).first
      let old = GroupState(
        concurrency: stored?.concurrency, isPaused: stored?.pausedSince != nil)
      let (new, entry) = change(old)
      // A group that was paused before its job stopped declaring groups must be resumable.
      guard limits.hasGroups || new.ends(old) else { throw NoGroups(job: job) }
      guard new != old else { return true }
      try await transaction.run(
        .count(
          SQL.Workers.setGroupLimit, job, group, new.concurrency.map { Int32(clamping: $0) },
          new.isPaused))
      try await transaction.record(entry)
      return true
    }
  }

  private static func subject(_ job: String, _ group: String) -> [String: AuditValue] {
    ["job": .text(job), "group": .text(group)]
  }

  private static func audited(_ concurrency: Int?, _ perGroup: Int? = nil) -> [String: AuditValue] {
    var fields: [String: AuditValue] = [:]
    fields["concurrency"] = concurrency.map { .number(Int64($0)) }
    fields["group_concurrency"] = perGroup.map { .number(Int64($0)) }
    return fields
  }
}

/// The limits that an operator has set for a job.
private struct StoredLimits: Sendable {
  let set, setPerGroup: Int?
  /// Whether the job has a limit per group, which divides its runs into groups.
  let hasGroups: Bool

  /// Reads and locks the limits of a job.
  static func read(_ job: String) -> Call<[StoredLimits]> {
    .rows(SQL.Workers.readLimits, job) { (row) throws(PostgresError) in
      let (set, setPerGroup, hasGroups) = try row.decode(Int32?.self, Int32?.self, Bool.self)
      return StoredLimits(
        set: set.map(Int.init), setPerGroup: setPerGroup.map(Int.init), hasGroups: hasGroups)
    }
  }
}

extension SetLimits {
  /// Lists limits.
  ///
  /// If an argument is nil, the limits are not filtered by it.
  fileprivate static func list(_ job: String?, _ group: String? = nil) -> Call<[SetLimits]> {
    .rows(SQL.Workers.listLimits, job, group) { (row) throws(PostgresError) in
      let (job, group, set, declared, setPerGroup, declaredPerGroup, paused) = try row.decode(
        String.self, String?.self, Int32?.self, Int32?.self, Int32?.self, Int32?.self,
        String?.self)
      return SetLimits(
        job: job, group: group, concurrency: set.map(Int.init),
        declaredConcurrency: declared.map(Int.init), groupConcurrency: setPerGroup.map(Int.init),
        declaredGroupConcurrency: declaredPerGroup.map(Int.init), pausedSince: paused)
    }
  }
}
