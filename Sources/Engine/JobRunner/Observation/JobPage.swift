package import BatonPostgres

/// A job's definition in the schema, together with its history.
package struct JobPage: Sendable, Codable {
  /// The name under which the job is stored.
  package let name: String
  /// The names that the job received when it was renamed, sorted.
  package let laterNames: [String]
  /// The topics of the events that trigger the job.
  package let topics: [String]
  /// The debounce in seconds: the required time without new events for a key, and a run's maximum
  /// delay.
  package let quietSeconds, atMostSeconds: Double
  /// The minimum time, in seconds, between two runs with the same key, or nil if the job is not
  /// throttled.
  package let everySeconds: Double?
  /// Whether completed runs are stored in the history.
  package let keepsHistory: Bool
  /// Whether each run of the job must have a key.
  package let needsKey: Bool
  /// The job's priority, from 1 (most urgent) to 9 (least urgent).
  package let priority: Int
  /// The limits of the job across all workers.
  package let limits: LimitsRow
  /// Values that the program with the job's code has stored in the schema.
  package let code: JobCode
  /// The time when the job was paused, or nil if the job is not paused.
  package let pausedSince: Timestamp?
  /// The time when the job was retired, or nil if the job is not retired.
  package let retiredSince: Timestamp?
  /// The time of the job's last run.
  ///
  /// Workers update the time every few seconds.
  package let lastRanAt: Timestamp?
  /// The number of successful runs since the schema was created.
  package let runsDone: Int64
  /// The number of batches in which the successful runs were processed.
  package let batchesDone: Int64
  /// The schedules of the job.
  package let schedules: [ScheduleRow]
  /// The durations of the job's attempts, or nil if the history contains no attempts.
  package let durations: Durations?
  /// Up to 20 of the job's most recently ended runs.
  package let ended: [RunRow]

  /// Whether the given name is the stored name or a later name of the job.
  package func isNamed(_ name: String) -> Bool { self.name == name || laterNames.contains(name) }

  /// The values that a program stores when it defines a job.
  ///
  /// If the schema lacked the columns for `JobCode` when the job was last defined, all values are
  /// nil.
  package struct JobCode: Sendable, Codable, Hashable {
    /// The program that defined the job.
    package let program: String?
    /// The kind of the job, which is `batch`, `step` or `effect`.
    package let kind: String?
    /// The maximum number of runs in one transaction.
    package let batch: Int?
    /// The maximum duration of one transaction or effect, in seconds.
    package let timeoutSeconds: Double?
    /// The maximum number of attempts, including the first one.
    package let attempts: Int?
    /// The backoff after the first failed attempt and the maximum backoff, in seconds.
    package let firstWaitSeconds, longestWaitSeconds: Double?
    /// The maximum number of concurrent effects in one worker, or nil for a job that is not an
    /// effect.
    package let effectConcurrency: Int?
    /// The kind of database role that the job's code uses, or nil for the worker's role.
    package let role: String?
    /// Descriptions of the tables whose changes trigger the job.
    package let tables: [String]?
  }

  /// The limits of a job.
  ///
  /// If a limit is nil, the job has no such limit.
  package struct LimitsRow: Sendable, Codable, Hashable {
    /// The maximum number of concurrent runs, in total and per group.
    package let concurrency, groupConcurrency: Int?
    /// How runs are grouped: by a field of the payload, or by a part of the key.
    package let group: String?
    /// The interval, in seconds, between attempt starts when the job has reached its rate limit.
    package let startSeconds: Double?
    /// The maximum number of attempts that start simultaneously.
    package let burst: Int?
    /// The interval, in seconds, between attempt starts in one group that has reached its rate
    /// limit.
    package let groupStartSeconds: Double?
    /// The maximum number of attempts per group that start simultaneously.
    package let groupBurst: Int?
  }

  /// The durations of attempts in seconds, for the newest runs in the history.
  package struct Durations: Sendable, Codable, Hashable {
    /// The number of measured runs, up to 1,000.
    package let runs: Int
    /// The completion time of the oldest measured run.
    package let since: Timestamp
    /// The 50th, 90th and 99th percentiles of the durations.
    package let median, p90, p99: Double
    /// The longest duration.
    package let longest: Double
  }
}

extension [JobPage] {
  /// The sorted names of the programs that defined the jobs.
  package var programs: [String] { Set(compactMap(\.code.program)).sorted() }
}
