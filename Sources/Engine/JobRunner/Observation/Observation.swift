public import BatonPostgres

/// What the person on duty asks of a queue, as it is at one moment: read in one round trip, in milliseconds, and
/// without a look at every row of anything.
///
/// Ages are in seconds, by the server's clock.
public struct Observation: Sendable, Codable {
  /// When it was looked, by the server's clock.
  public let at: Timestamp
  /// The jobs of the schema, by name, and those that only have dead runs left.
  public let jobs: [JobObservation]
  /// How far the event log is folded.
  public let folding: FoldingObservation
  /// The schedules, by job.
  public let schedules: [ScheduleObservation]
  /// The workers, the one that started first ahead.
  public let workers: [WorkerObservation]
  /// The server's connections.
  public let connections: ConnectionsObservation
  /// The transaction of this database that has been open for longest; nil: none that can be seen.
  public let oldestTransaction: TransactionObservation?
  /// Whether the transactions of all sessions could be seen; else there may be an older one.
  ///
  /// Who is no member of `pg_read_all_stats` sees those of its own role.
  public let isOldestTransactionSeen: Bool
  /// The tables that the queue writes all the time, by name.
  public let tables: [TableObservation]
}

/// A number of rows.
public struct Count: Sendable, Codable, Hashable {
  /// How many.
  public let value: Int
  /// Whether it is about so many: more than ``most`` are not counted.
  public let isEstimate: Bool

  /// Up to so many are counted.
  public static let most = 10_000

  /// A number of rows.
  public init(value: Int, isEstimate: Bool = false) {
    self.value = value
    self.isEstimate = isEstimate
  }

  /// What was counted, where that is all; else the greater of that and what is thought.
  init(counted: Int64, orAbout estimate: Int64) {
    let isEstimate = counted > Self.most
    self.init(value: Int(isEstimate ? max(counted, estimate) : counted), isEstimate: isEstimate)
  }
}

/// A job's runs.
public struct JobObservation: Sendable, Codable {
  /// The job's name.
  public let name: String
  /// Whether no worker claims its runs.
  public let isPaused: Bool
  /// Runs that are due and wait for a worker.
  public let ready: Count
  /// Runs that somebody works.
  public let running: Count
  /// Runs that are due later: by a debounce, a backoff, or because somebody asked for that.
  public let delayed: Count
  /// Runs that failed for good.
  public let dead: Count
  /// How long the oldest due run has waited; nil: none is due.
  public let oldestDueSeconds: Double?
  /// Freshness: the age of the oldest event that a run stands for and that is not done; nil: there is none.
  ///
  /// Of more than 10,000 runs that wait, among those that are due first. Runs that wait for their next attempt do not
  /// count here: ``oldestRetriedWriteSeconds`` has theirs.
  public let oldestUnfinishedWriteSeconds: Double?
  /// Runs that failed and wait for their next attempt; they are part of ``delayed``.
  public let retrying: Count
  /// The highest number of failed attempts of these; 0: there are none.
  public let failedAttempts: Int
  /// The age of the oldest event that one of these stands for; nil: there is none.
  public let oldestRetriedWriteSeconds: Double?
  /// How many run at once over all workers, at most; nil: any number.
  public let concurrency: Int?
  /// For how long its events wait for others, at most.
  public let debounceSeconds: Double
  /// Runs that ended well since the schema was made; workers write it down every few seconds.
  public let runsDone: Int64
  /// Batches that these were worked in.
  public let batchesDone: Int64
}

/// How far the event log is folded into runs.
public struct FoldingObservation: Sendable, Codable {
  /// The age of the oldest event that no run stands for yet; nil: all are folded.
  public let oldestUnfoldedSeconds: Double?
  /// Events that no run stands for yet.
  public let events: Count
  /// Whether the log is of this server; else it was restored here, and the next fold begins anew.
  public let isOfThisServer: Bool
}

/// One schedule.
public struct ScheduleObservation: Sendable, Codable {
  /// The job, or `job/name`.
  public let name: String
  /// Whether its occurrences pass.
  public let isPaused: Bool
  /// When it fires next; nil: never, as things are.
  public let next: Timestamp?
  /// By how much it is late; nil: it is not.
  public let lateSeconds: Double?
}

/// One worker.
public struct WorkerObservation: Sendable, Codable {
  /// Its id.
  public let id: String
  /// Its machine and process, `host:pid`.
  public let name: String
  /// Its server process, as it was when it registered.
  public let pid: Int
  /// Since when it works.
  public let startedSeconds: Double
  /// How long ago it last said that it lives.
  public let heartbeatSeconds: Double
  /// Whether it is taken for dead.
  public let isLost: Bool
}

/// The connections of the server.
public struct ConnectionsObservation: Sendable, Codable {
  /// Open ones, of all databases.
  public let used: Int
  /// How many may be, those aside that are kept for superusers.
  public let allowed: Int
}

/// An open transaction.
public struct TransactionObservation: Sendable, Codable {
  /// How long it has been open.
  public let seconds: Double
  /// The server process that holds it.
  public let pid: Int
  /// Who is logged in there.
  public let user: String
  /// What the program says that it is.
  public let applicationName: String
  /// What the server process does: `active`, `idle in transaction`.
  public let state: String
}

/// One table, by the server's statistics.
public struct TableObservation: Sendable, Codable {
  /// Its name.
  public let name: String
  /// About how many rows it has.
  public let rows: Int64
  /// Its size on disk with its indexes.
  public let bytes: Int64
  /// About how many rows are dead and wait for vacuum.
  public let deadRows: Int64
  /// Rows inserted and deleted since the server's statistics began.
  public let inserted, deleted: Int64
}
