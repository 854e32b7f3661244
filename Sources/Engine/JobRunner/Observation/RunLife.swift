package import BatonPostgres

/// The details and the timeline of one run: no payload, no output, and no mail address in key or error.
package struct RunLife: Sendable, Codable {
  /// Its current id; the caller may have given one of ``earlierIds``.
  package let id: Int64
  /// The ids of runs that were merged into it, and of calls that enqueued it.
  package let earlierIds: [Int64]
  /// The job's name.
  package let job: String
  /// The key by which it is debounced; `[address]` replaces mail addresses.
  package let key: String
  /// `ready`, `running` or `dead`; `unfolded`: enqueued, but not a run yet.
  ///
  /// After its end: `done`, `dead` or `cancelled`, or `ended` if the result is not recorded.
  package let state: String
  /// The number of attempts so far; nil if it is not known.
  package let attempt: Int?
  /// The priority: 1 is the most urgent, 9 the least.
  package let priority: Int?
  /// The worker that works it.
  package let worker: String?
  /// The last error.
  package let error: String?
  /// Whether it has a payload; only an operator may read that.
  package let hasPayload: Bool
  /// When it was first enqueued.
  package let madeAt: Timestamp?
  /// The time of its last event.
  package let lastEventAt: Timestamp?
  /// When it is due.
  package let due: Timestamp?
  /// The earliest domain time that a caller requested.
  package let runAt: Timestamp?
  /// Backoff until: no event makes the run start earlier.
  package let backoffUntil: Timestamp?
  /// When its cancellation was requested.
  package let cancelRequestedAt: Timestamp?
  /// When it died.
  package let diedAt: Timestamp?
  /// When it ended.
  package let endedAt: Timestamp?
  /// The failed attempts, and the last attempt if the job has a history; in order.
  package let attempts: [Attempt]
  /// The manual actions on it in order, among the newest 10,000 manual actions of the schema.
  package let actions: [Action]

  /// One attempt.
  package struct Attempt: Sendable, Codable {
    /// The run's id at the time of the attempt, if it was a different one.
    package let run: Int64?
    /// The number of the attempt, from 1.
    package let attempt: Int
    /// `failed`, `done` or `cancelled`.
    package let outcome: String
    /// The worker of the attempt.
    package let worker: String?
    /// When it began; nil if its worker died.
    package let beganAt: Timestamp?
    /// When it ended.
    package let endedAt: Timestamp
    /// Why it failed.
    package let error: String?
    /// The job's report of the attempt, by name.
    package let report: [String: Int]?
  }

  /// One row of the audit log.
  package struct Action: Sendable, Codable {
    /// The time of the action.
    package let at: Timestamp
    /// The action: `runs retry`.
    package let action: String
    /// The person, as the program reported it; otherwise the login.
    package let by: String
  }
}
