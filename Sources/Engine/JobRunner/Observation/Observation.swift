package import BatonPostgres

/// The state of a queue at one moment, for the person on duty.
///
/// It is read in one round trip of some milliseconds, and no table is read completely. Ages are in seconds, by the
/// server's clock.
package struct Observation: Sendable, Codable {
  /// When it was read, by the server's clock.
  package let at: Timestamp
  /// The jobs of the schema and jobs that have only dead runs left, by name.
  package let jobs: [JobObservation]
  /// The progress of folding the event log.
  package let folding: FoldingObservation
  /// The schedules, by job.
  package let schedules: [ScheduleObservation]
  /// The workers, by start time, the oldest first.
  package let workers: [WorkerObservation]
  /// The server's connections.
  package let connections: ConnectionsObservation
  /// The transaction of this database that has been open for longest; nil if none is visible.
  package let oldestTransaction: TransactionObservation?
  /// Whether the transactions of all sessions were visible; if not, there may be an older one.
  ///
  /// A role that is not a member of `pg_read_all_stats` sees only its own.
  package let isOldestTransactionSeen: Bool
  /// The tables that the queue writes continuously, by name.
  package let tables: [TableObservation]
}

/// A number of rows.
package struct Count: Sendable, Codable, Hashable {
  /// The number.
  package let value: Int
  /// Whether the number is an estimate, because more than ``most`` rows are not counted.
  package let isEstimate: Bool

  /// The highest number that is counted exactly.
  package static let most = 10_000

  /// Makes a number of rows.
  package init(value: Int, isEstimate: Bool = false) {
    self.value = value
    self.isEstimate = isEstimate
  }

  /// Makes the exact number if everything was counted, otherwise the greater of the counted and the estimated number.
  init(counted: Int64, orAbout estimate: Int64) {
    let isEstimate = counted > Self.most
    self.init(value: Int(isEstimate ? max(counted, estimate) : counted), isEstimate: isEstimate)
  }
}

/// A job's runs.
package struct JobObservation: Sendable, Codable {
  /// The job's name.
  package let name: String
  /// Whether the job is paused: no worker claims its runs.
  package let isPaused: Bool
  /// Runs that are due and wait for a worker.
  package let ready: Count
  /// Runs that a worker is working.
  package let running: Count
  /// Runs that are due later, because of a debounce, a backoff or a requested time.
  package let delayed: Count
  /// Runs that failed permanently.
  package let dead: Count
  /// How long the oldest due run has waited; nil if none is due.
  package let oldestDueSeconds: Double?
  /// Freshness: the age of the oldest event whose run is not done; nil if there is none.
  ///
  /// If more than 10,000 runs wait, only those that are due first are read. Runs that wait for their next attempt do
  /// not count here: see ``oldestRetriedWriteSeconds``.
  package let oldestUnfinishedWriteSeconds: Double?
  /// Runs that failed and wait for their next attempt; ``delayed`` includes them.
  package let retrying: Count
  /// The highest number of failed attempts of these; 0 if there are none.
  package let failedAttempts: Int
  /// The age of the oldest event of these; nil if there is none.
  package let oldestRetriedWriteSeconds: Double?
  /// The most runs at the same time over all workers; nil: no limit.
  package let concurrency: Int?
  /// The longest time that its events are debounced.
  package let debounceSeconds: Double
  /// Runs that ended well since the schema was made; workers store it every few seconds.
  package let runsDone: Int64
  /// The batches of these runs.
  package let batchesDone: Int64
}

/// The progress of folding the event log into runs.
package struct FoldingObservation: Sendable, Codable {
  /// The age of the oldest event that has no run yet; nil if all are folded.
  package let oldestUnfoldedSeconds: Double?
  /// The number of events that have no run yet.
  package let events: Count
  /// Whether the log belongs to this server; if it was restored here, the next fold reads it from the beginning.
  package let isOfThisServer: Bool
}

/// One schedule.
package struct ScheduleObservation: Sendable, Codable {
  /// The job, or `job/name`.
  package let name: String
  /// Whether it is paused: its occurrences do not fire.
  package let isPaused: Bool
  /// When it fires next; nil if never, in its current state.
  package let next: Timestamp?
  /// How late it is; nil if it is not late.
  package let lateSeconds: Double?
}

/// One worker.
package struct WorkerObservation: Sendable, Codable {
  /// Its id.
  package let id: String
  /// Its machine and process, `host:pid`.
  package let name: String
  /// Its server process at the time of registration.
  package let pid: Int
  /// How long ago it started.
  package let startedSeconds: Double
  /// The time since its last heartbeat.
  package let heartbeatSeconds: Double
  /// Whether it is considered dead.
  package let isLost: Bool
}

/// The connections of the server.
package struct ConnectionsObservation: Sendable, Codable {
  /// The number of open connections, of all databases.
  package let used: Int
  /// The most connections, without those reserved for superusers.
  package let allowed: Int
}

/// An open transaction.
package struct TransactionObservation: Sendable, Codable {
  /// How long it has been open.
  package let seconds: Double
  /// The server process that holds it.
  package let pid: Int
  /// The user of the session.
  package let user: String
  /// The `application_name` of the session.
  package let applicationName: String
  /// The state of the server process: `active`, `idle in transaction`.
  package let state: String
}

/// One table, by the server's statistics.
package struct TableObservation: Sendable, Codable {
  /// Its name.
  package let name: String
  /// The approximate number of its rows.
  package let rows: Int64
  /// Its size on disk with its indexes.
  package let bytes: Int64
  /// The approximate number of dead rows that wait for vacuum.
  package let deadRows: Int64
  /// Rows inserted and deleted since the server's statistics began.
  package let inserted, deleted: Int64
}
