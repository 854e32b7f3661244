public import BatonPostgres

/// One job: what the schema knows of it, and of its past.
public struct JobPage: Sendable, Codable {
  /// The job's name.
  public let name: String
  /// The topics of the events that wake it.
  public let topics: [String]
  /// Its debounce: the silence that a key's events have to keep, and the longest wait, in seconds.
  public let quietSeconds, atMostSeconds: Double
  /// With a leading edge: how far runs of a key lie apart at least; nil without one.
  public let everySeconds: Double?
  /// Whether its runs leave a row behind when they end.
  public let keepsHistory: Bool
  /// Whether each run needs a key.
  public let needsKey: Bool
  /// 1 goes first, 9 last.
  public let priority: Int
  /// What holds over all workers.
  public let limits: LimitsRow
  /// Since when no worker claims its runs; nil: it is not paused.
  public let pausedSince: Timestamp?
  /// When it last ran, the runs that ended well and the batches that these were worked in; workers write it down
  /// every few seconds.
  public let lastRanAt: Timestamp?
  /// Runs that ended well since the schema was made.
  public let runsDone: Int64
  /// Batches that these were worked in.
  public let batchesDone: Int64
  /// Its schedules.
  public let schedules: [ScheduleRow]
  /// How long its attempts took; nil: there is no history of it.
  public let durations: Durations?
  /// Its newest runs that have ended, 20 at most.
  public let ended: [RunRow]

  /// The limits of a job; nil is none.
  public struct LimitsRow: Sendable, Codable, Hashable {
    /// How many of its runs run at once, and how many of a group.
    public let concurrency, groupConcurrency: Int?
    /// What a group is: a field of the payload, or a part of the key.
    public let group: String?
    /// The seconds between two starts, and how many starts there may be at once.
    public let startSeconds: Double?
    /// How many may start at once.
    public let burst: Int?
  }

  /// How long attempts took, of the newest runs in the history; in seconds.
  public struct Durations: Sendable, Codable, Hashable {
    /// How many runs were looked at, 1,000 at most.
    public let runs: Int
    /// The oldest of them ended then.
    public let since: Timestamp
    /// Half, nine tenths and 99 hundredths of them took no longer.
    public let median, p90, p99: Double
    /// The longest.
    public let longest: Double
  }
}
