package import BatonPostgres

/// One job: what the schema knows of it, and of its past.
package struct JobPage: Sendable, Codable {
  /// The job's name.
  package let name: String
  /// The topics of the events that wake it.
  package let topics: [String]
  /// Its debounce: the silence that a key's events have to keep, and the longest wait, in seconds.
  package let quietSeconds, atMostSeconds: Double
  /// With a leading edge: how far runs of a key lie apart at least; nil without one.
  package let everySeconds: Double?
  /// Whether its runs leave a row behind when they end.
  package let keepsHistory: Bool
  /// Whether each run needs a key.
  package let needsKey: Bool
  /// 1 goes first, 9 last.
  package let priority: Int
  /// What holds over all workers.
  package let limits: LimitsRow
  /// What the program stored that has the job's code.
  package let code: JobCode
  /// Since when no worker claims its runs; nil: it is not paused.
  package let pausedSince: Timestamp?
  /// When it last ran, the runs that ended well and the batches that these were worked in; workers write it down
  /// every few seconds.
  package let lastRanAt: Timestamp?
  /// Runs that ended well since the schema was made.
  package let runsDone: Int64
  /// Batches that these were worked in.
  package let batchesDone: Int64
  /// Its schedules.
  package let schedules: [ScheduleRow]
  /// How long its attempts took; nil: there is no history of it.
  package let durations: Durations?
  /// Its newest runs that have ended, 20 at most.
  package let ended: [RunRow]

  /// What a program stores when it defines a job; nil: no program has defined the job since there are these columns.
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
    /// The most effects at once in one worker; nil: the job works in transactions.
    package let effectConcurrency: Int?
    /// The kind of the role that its work acts as; nil: the worker's.
    package let role: String?
    /// The tables whose writes wake it, in words.
    package let tables: [String]?
  }

  /// The limits of a job; nil is none.
  package struct LimitsRow: Sendable, Codable, Hashable {
    /// How many of its runs run at once, and how many of a group.
    package let concurrency, groupConcurrency: Int?
    /// What a group is: a field of the payload, or a part of the key.
    package let group: String?
    /// The seconds between two starts, and how many starts there may be at once.
    package let startSeconds: Double?
    /// How many may start at once.
    package let burst: Int?
  }

  /// How long attempts took, of the newest runs in the history; in seconds.
  package struct Durations: Sendable, Codable, Hashable {
    /// How many runs were looked at, 1,000 at most.
    package let runs: Int
    /// The oldest of them ended then.
    package let since: Timestamp
    /// Half, nine tenths and 99 hundredths of them took no longer.
    package let median, p90, p99: Double
    /// The longest.
    package let longest: Double
  }
}
