package import BatonPostgres

/// What the person on duty asks of a queue, as it is at one moment: read in one round trip, in milliseconds, and
/// without a look at every row of anything.
///
/// Ages are in seconds, by the server's clock.
package struct Observation: Sendable, Codable {
  /// When it was looked, by the server's clock.
  package let at: Timestamp
  /// The jobs of the schema, by name, and those that only have dead runs left.
  package let jobs: [JobObservation]
  /// How far the event log is folded.
  package let folding: FoldingObservation
  /// The schedules, by job.
  package let schedules: [ScheduleObservation]
  /// The workers, the one that started first ahead.
  package let workers: [WorkerObservation]
  /// The server's connections.
  package let connections: ConnectionsObservation
  /// The transaction of this database that has been open for longest; nil: none that can be seen.
  package let oldestTransaction: TransactionObservation?
  /// Whether the transactions of all sessions could be seen; else there may be an older one.
  ///
  /// Who is no member of `pg_read_all_stats` sees those of its own role.
  package let isOldestTransactionSeen: Bool
  /// The tables that the queue writes all the time, by name.
  package let tables: [TableObservation]
}

/// A number of rows.
package struct Count: Sendable, Codable, Hashable {
  /// How many.
  package let value: Int
  /// Whether it is about so many: more than ``most`` are not counted.
  package let isEstimate: Bool

  /// Up to so many are counted.
  package static let most = 10_000

  /// A number of rows.
  package init(value: Int, isEstimate: Bool = false) {
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
package struct JobObservation: Sendable, Codable {
  /// The job's name.
  package let name: String
  /// Whether no worker claims its runs.
  package let isPaused: Bool
  /// Runs that are due and wait for a worker.
  package let ready: Count
  /// Runs that somebody works.
  package let running: Count
  /// Runs that are due later: by a debounce, a backoff, or because somebody asked for that.
  package let delayed: Count
  /// Runs that failed for good.
  package let dead: Count
  /// How long the oldest due run has waited; nil: none is due.
  package let oldestDueSeconds: Double?
  /// Freshness: the age of the oldest event that a run stands for and that is not done; nil: there is none.
  ///
  /// Of more than 10,000 runs that wait, among those that are due first. Runs that wait for their next attempt do not
  /// count here: ``oldestRetriedWriteSeconds`` has theirs.
  package let oldestUnfinishedWriteSeconds: Double?
  /// Runs that failed and wait for their next attempt; they are part of ``delayed``.
  package let retrying: Count
  /// The highest number of failed attempts of these; 0: there are none.
  package let failedAttempts: Int
  /// The age of the oldest event that one of these stands for; nil: there is none.
  package let oldestRetriedWriteSeconds: Double?
  /// How many run at once over all workers, at most; nil: any number.
  package let concurrency: Int?
  /// For how long its events wait for others, at most.
  package let debounceSeconds: Double
  /// Runs that ended well since the schema was made; workers write it down every few seconds.
  package let runsDone: Int64
  /// Batches that these were worked in.
  package let batchesDone: Int64
}

/// How far the event log is folded into runs.
package struct FoldingObservation: Sendable, Codable {
  /// The age of the oldest event that no run stands for yet; nil: all are folded.
  package let oldestUnfoldedSeconds: Double?
  /// Events that no run stands for yet.
  package let events: Count
  /// Whether the log is of this server; else it was restored here, and the next fold begins anew.
  package let isOfThisServer: Bool
}

/// One schedule.
package struct ScheduleObservation: Sendable, Codable {
  /// The job, or `job/name`.
  package let name: String
  /// Whether its occurrences pass.
  package let isPaused: Bool
  /// When it fires next; nil: never, as things are.
  package let next: Timestamp?
  /// By how much it is late; nil: it is not.
  package let lateSeconds: Double?
}

/// One worker.
package struct WorkerObservation: Sendable, Codable {
  /// Its id.
  package let id: String
  /// Its machine and process, `host:pid`.
  package let name: String
  /// Its server process, as it was when it registered.
  package let pid: Int
  /// Since when it works.
  package let startedSeconds: Double
  /// How long ago it last said that it lives.
  package let heartbeatSeconds: Double
  /// Whether it is taken for dead.
  package let isLost: Bool
}

/// The connections of the server.
package struct ConnectionsObservation: Sendable, Codable {
  /// Open ones, of all databases.
  package let used: Int
  /// How many may be, those aside that are kept for superusers.
  package let allowed: Int
}

/// An open transaction.
package struct TransactionObservation: Sendable, Codable {
  /// How long it has been open.
  package let seconds: Double
  /// The server process that holds it.
  package let pid: Int
  /// Who is logged in there.
  package let user: String
  /// What the program says that it is.
  package let applicationName: String
  /// What the server process does: `active`, `idle in transaction`.
  package let state: String
}

/// One table, by the server's statistics.
package struct TableObservation: Sendable, Codable {
  /// Its name.
  package let name: String
  /// About how many rows it has.
  package let rows: Int64
  /// Its size on disk with its indexes.
  package let bytes: Int64
  /// About how many rows are dead and wait for vacuum.
  package let deadRows: Int64
  /// Rows inserted and deleted since the server's statistics began.
  package let inserted, deleted: Int64
}
