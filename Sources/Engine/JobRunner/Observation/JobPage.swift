package import BatonPostgres

/// One job: its definition in the schema, and its past.
package struct JobPage: Sendable, Codable {
  /// The job's name.
  package let name: String
  /// The topics of the events that wake it.
  package let topics: [String]
  /// Its debounce in seconds: the required silence between the events of a key, and the longest wait.
  package let quietSeconds, atMostSeconds: Double
  /// For a throttled job: the least time between two runs of a key; nil if the job is not throttled.
  package let everySeconds: Double?
  /// Whether its runs leave a row in the history when they end.
  package let keepsHistory: Bool
  /// Whether each run needs a key.
  package let needsKey: Bool
  /// The priority: 1 is the most urgent, 9 the least.
  package let priority: Int
  /// The limits over all workers.
  package let limits: LimitsRow
  /// The values that the program with the job's code stored.
  package let code: JobCode
  /// Since when no worker claims its runs; nil: it is not paused.
  package let pausedSince: Timestamp?
  /// When it last ran; workers store it every few seconds.
  package let lastRanAt: Timestamp?
  /// The number of runs that ended well since the schema was made.
  package let runsDone: Int64
  /// The number of batches of these runs.
  package let batchesDone: Int64
  /// Its schedules.
  package let schedules: [ScheduleRow]
  /// How long its attempts took; nil if there is no history of it.
  package let durations: Durations?
  /// Its newest ended runs, 20 at most.
  package let ended: [RunRow]

  /// The values that a program stores when it defines a job; nil if no program has defined it since these columns
  /// exist.
  package struct JobCode: Sendable, Codable, Hashable {
    /// The program that defined the job.
    package let program: String?
    /// `batch`, `step` or `effect`.
    package let kind: String?
    /// The most runs in one transaction.
    package let batch: Int?
    /// The longest that one transaction, or one effect, may take.
    package let timeoutSeconds: Double?
    /// All attempts, the first one included.
    package let attempts: Int?
    /// The wait after the first failed attempt, and the longest wait.
    package let firstWaitSeconds, longestWaitSeconds: Double?
    /// The most effects at the same time in one worker; nil: the job works in transactions.
    package let effectConcurrency: Int?
    /// The kind of the role that its work acts as; nil: the worker's role.
    package let role: String?
    /// Descriptions of the tables whose writes wake it.
    package let tables: [String]?
  }

  /// The limits of a job; nil means no limit.
  package struct LimitsRow: Sendable, Codable, Hashable {
    /// The most runs at the same time, in total and for each group.
    package let concurrency, groupConcurrency: Int?
    /// How runs are grouped: by a field of the payload, or by a part of the key.
    package let group: String?
    /// The seconds between two starts at the highest steady rate.
    package let startSeconds: Double?
    /// The most starts at the same time.
    package let burst: Int?
  }

  /// How long attempts took, in seconds, for the newest runs in the history.
  package struct Durations: Sendable, Codable, Hashable {
    /// The number of runs that were read, 1,000 at most.
    package let runs: Int
    /// When the oldest of them ended.
    package let since: Timestamp
    /// The percentiles p50, p90 and p99.
    package let median, p90, p99: Double
    /// The longest time.
    package let longest: Double
  }
}

extension [JobPage] {
  /// The programs that defined the jobs, by name.
  package var programs: [String] { Set(compactMap(\.code.program)).sorted() }
}
