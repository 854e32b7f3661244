import TestSupport

extension TestSchema {
  /// Runs `correct` while a claim is in progress that has stored late times of the group `a`.
  ///
  /// The claim holds the job's turn, and has added a start and a turn. It commits after a statement
  /// of `correct` waits for it.
  ///
  /// - Parameter wait: the interval from now to the stored times.
  func duringClaim<R: Sendable>(
    of job: String, storing wait: String, _ correct: @escaping @Sendable () async throws -> R
  ) async throws -> R {
    try await holding(
      """
      select from job_limit where job = '\(job)' for no key update;
      insert into limit_start (job, group_key, rested_at)
      values ('\(job)', 'a', now() + interval '\(wait)');
      insert into held_group (job, group_key, due) values ('\(job)', 'a', now() + interval '\(wait)')
      """
    ) { claim in
      let correcting = Task { try await correct() }
      try await claim.waitUntilItBlocks()
      try await claim.commit()
      return try await correcting.value
    }
  }

  /// Returns `t,t` if the stored start ends within this time and the turn is due.
  func hasEarlyTimes(within wait: String) async throws -> [String] {
    try await sql(
      """
      select (select rested_at <= now() + interval '\(wait)' from limit_start),
        (select due <= now() from held_group)
      """)
  }
}
