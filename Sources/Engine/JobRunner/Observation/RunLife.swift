package import BatonPostgres

/// The details and the timeline of one run.
///
/// Payloads and outputs are omitted, and email addresses in the key and in errors are redacted.
package struct RunLife: Sendable, Codable {
  /// The current id of the run.
  ///
  /// If the caller passed one of ``earlierIds``, the current id differs from the one passed.
  package let id: Int64
  /// All other ids of this run.
  ///
  /// The list contains the ids of runs that were merged into this run. It also contains the ids
  /// that callers received when they enqueued this run.
  package let earlierIds: [Int64]
  /// The job's name.
  package let job: String
  /// The run's key.
  ///
  /// In the key, `[address]` replaces email addresses, and `[password]` replaces passwords.
  package let key: String
  /// The state of the run, which is `ready`, `running`, `dead`, or `unfolded` if the run has not
  /// been created yet.
  ///
  /// After the run ends, the state is `done`, `dead` or `cancelled`, or `ended` if the outcome is
  /// not recorded.
  package let state: String
  /// The number of attempts so far, or nil if unknown.
  package let attempt: Int?
  /// The priority of the run, from 1 (most urgent) to 9 (least urgent).
  package let priority: Int?
  /// The worker that is processing the run, or nil if the run is not running.
  package let worker: String?
  /// The error of the last failed attempt.
  package let error: String?
  /// Whether the run has a payload.
  ///
  /// Only an operator may read payloads.
  package let hasPayload: Bool
  /// The time when the run was first enqueued.
  package let madeAt: Timestamp?
  /// The time of the run's last event.
  package let lastEventAt: Timestamp?
  /// The time when the run is due.
  package let due: Timestamp?
  /// The earliest domain time when the run may start, as requested by a caller.
  package let runAt: Timestamp?
  /// The time when the backoff ends.
  ///
  /// New events do not start the run before the backoff ends.
  package let backoffUntil: Timestamp?
  /// The time when the run's cancellation was requested.
  package let cancelRequestedAt: Timestamp?
  /// The time when the run died.
  package let diedAt: Timestamp?
  /// The time when the run ended.
  package let endedAt: Timestamp?
  /// The run's checkpoint, or nil if the run has not stored any steps.
  package let checkpoint: Checkpoint?
  /// The failed attempts in order.
  ///
  /// If the job has a history, the list also contains the last attempt.
  package let attempts: [Attempt]
  /// The manual actions on the run in chronological order.
  ///
  /// Only the 10,000 most recent manual actions of the schema are searched.
  package let actions: [Action]

  /// The last committed step of a chunked job, or the stored steps of an effect.
  ///
  /// The next attempt resumes after the last completed step.
  package struct Checkpoint: Sendable, Codable {
    /// The reported progress, or nil if the job does not report any.
    package let done, total: Int?
    /// The time when the last step was committed.
    package let savedAt: Timestamp
    /// The names of an effect's stored steps in the order of storage, or nil for a chunked job.
    package let steps: [String]?
  }

  /// An attempt of the run.
  package struct Attempt: Sendable, Codable {
    /// The run's id during the attempt, if different from the current id.
    package let run: Int64?
    /// The attempt number, starting at 1.
    package let attempt: Int
    /// The outcome of the attempt, which is `failed`, `snoozed`, `done` or `cancelled`.
    package let outcome: String
    /// The worker that performed the attempt.
    package let worker: String?
    /// The time when the attempt started, or nil if the worker died during it.
    package let beganAt: Timestamp?
    /// The time when the attempt ended.
    package let endedAt: Timestamp
    /// The attempt's error, if it failed.
    package let error: String?
    /// The figures that the job reported for the attempt, by name.
    package let report: [String: Int]?
  }

  /// A manual action on the run, from the audit log.
  package struct Action: Sendable, Codable {
    /// The time of the action.
    package let at: Timestamp
    /// The action, for example `runs retry`.
    package let action: String
    /// The person who performed the action, or the database login if the program did not report
    /// one.
    package let by: String
  }
}
