package import BatonPostgres

/// The state of a queue at one moment, for the engineer on duty.
///
/// One round trip reads the state in a few milliseconds, and no table is read completely. Ages are
/// in seconds, by the server's clock.
package struct Observation: Sendable, Codable {
  /// The time when the values were read, by the server's clock.
  package let at: Timestamp
  /// The jobs of the schema, and removed jobs with dead runs, sorted by name.
  package let jobs: [JobObservation]
  /// The progress of dispatching events into runs.
  package let folding: FoldingObservation
  /// The schedules, sorted by job.
  package let schedules: [ScheduleObservation]
  /// The workers, sorted by start time, oldest first.
  package let workers: [WorkerObservation]
  /// The server's connections.
  package let connections: ConnectionsObservation
  /// Whether the server rejects writes.
  ///
  /// While the server rejects writes, workers cannot claim or complete runs.
  ///
  /// A server rejects writes if it is a standby, or if new transactions are read-only.
  package let isReadOnly: Bool
  /// The oldest open transaction in this database, or nil if none is visible.
  package let oldestTransaction: TransactionObservation?
  /// Whether the reading role could see all sessions' transactions.
  ///
  /// If the value is false, there may be an open transaction that is older than
  /// ``oldestTransaction``. A role that is not a member of `pg_read_all_stats` can see only its own
  /// transactions.
  package let isOldestTransactionSeen: Bool
  /// The tables to which the queue writes continuously, sorted by name.
  package let tables: [TableObservation]
}

/// A number of rows.
package struct Count: Sendable, Codable, Hashable {
  /// The exact or estimated number of rows.
  package let value: Int
  /// Whether the number is an estimate.
  package let isEstimate: Bool

  /// The highest number that is counted exactly.
  package static let most = 10_000

  /// Creates a number of rows.
  package init(value: Int, isEstimate: Bool = false) {
    self.value = value
    self.isEstimate = isEstimate
  }

  /// Creates an exact number, or an estimate if more than ``most`` rows exist.
  ///
  /// The estimate is never lower than the number of counted rows.
  init(counted: Int64, orAbout estimate: Int64) {
    let isEstimate = counted > Self.most
    self.init(value: Int(isEstimate ? max(counted, estimate) : counted), isEstimate: isEstimate)
  }
}

/// The number of a job's runs in each state.
package struct JobObservation: Sendable, Codable {
  /// The job's name.
  package let name: String
  /// Whether the job is paused.
  ///
  /// Workers do not claim runs of a paused job.
  package let isPaused: Bool
  /// The number of due runs that are waiting for a worker.
  package let ready: Count
  /// The number of runs that workers are processing.
  package let running: Count
  /// The number of runs that are not due yet, because of a debounce, a backoff or a requested time.
  package let delayed: Count
  /// The number of runs that failed permanently.
  package let dead: Count
  /// The waiting time of the oldest due run, or nil if no run is due.
  package let oldestDueSeconds: Double?
  /// The age of the oldest event whose run is not completed, or nil if all runs are completed.
  ///
  /// If more than 10,000 runs are waiting, only those with the earliest due times are read. The
  /// events of runs that are waiting for a retry are excluded (see ``oldestRetriedWriteSeconds``).
  package let oldestUnfinishedWriteSeconds: Double?
  /// The number of failed runs that are waiting for their next attempt.
  ///
  /// The ``delayed`` number also includes the runs that are waiting for a retry.
  package let retrying: Count
  /// The maximum number of failed attempts among runs that are waiting for a retry, or 0 if there
  /// are none.
  package let failedAttempts: Int
  /// The age of the oldest event whose run is waiting for a retry, or nil if there is none.
  package let oldestRetriedWriteSeconds: Double?
  /// The maximum number of concurrent runs across all workers, or nil for no limit.
  package let concurrency: Int?
  /// The job's maximum debounce, in seconds.
  package let debounceSeconds: Double
  /// The number of successful runs since the schema was created.
  ///
  /// Workers update the number every few seconds.
  package let runsDone: Int64
  /// The number of batches in which the successful runs were processed.
  package let batchesDone: Int64
  /// The cause that the job's failures share, or nil if no such cause is known.
  package let commonFailure: CommonFailureObservation?
  /// Whether the job is retired.
  ///
  /// A retired job does not get any new runs.
  package let isRetired: Bool
  /// The time in seconds since a process with the job's code last ran.
  ///
  /// If the time does not exceed the `unregistered_after` setting, the value is nil.
  package let unregisteredSeconds: Double?
}

/// A cause that makes all runs of a job fail.
package struct CommonFailureObservation: Sendable, Codable {
  /// The cause as an SQLSTATE, or as the type of the error.
  ///
  /// If workers report different causes, the value is one of them.
  package let reason: String
  /// The number of workers in which all runs of the job fail.
  package let workers: Int
  /// The time in seconds since a worker first detected the cause.
  package let seconds: Double
}

/// The progress of dispatching events into runs.
package struct FoldingObservation: Sendable, Codable {
  /// The age of the oldest event that has no run yet, or nil if all events have been dispatched.
  package let oldestUnfoldedSeconds: Double?
  /// The number of events that have no run yet.
  package let events: Count
  /// Whether the event log was written on this server.
  ///
  /// The value is false if the event log was restored from another server. After a restore from
  /// another server, the next dispatch reads the event log from the beginning.
  package let isOfThisServer: Bool
}

/// The state of a schedule.
package struct ScheduleObservation: Sendable, Codable {
  /// The name of the schedule: the job's name, or `job/name`.
  package let name: String
  /// The job's name.
  package let job: String
  /// Whether the schedule is paused.
  ///
  /// A paused schedule's occurrences do not fire.
  package let isPaused: Bool
  /// The time of the next occurrence, or nil if the schedule will not fire in its current state.
  package let next: Timestamp?
  /// The delay of the next occurrence in seconds, or nil if the schedule is not late.
  package let lateSeconds: Double?
}

/// The state of a registered worker.
package struct WorkerObservation: Sendable, Codable {
  /// The id of the worker.
  package let id: String
  /// The worker's machine and process, as `host:pid`.
  package let name: String
  /// The process id that the worker's session on the server had when the worker registered.
  package let pid: Int
  /// The time in seconds since the worker started.
  package let startedSeconds: Double
  /// The time in seconds since the worker's last heartbeat.
  package let heartbeatSeconds: Double
  /// Whether the worker is considered dead.
  package let isLost: Bool
  /// The release of the worker's program, or nil if the release is unknown.
  package let release: Int?
  /// The reason why the worker cannot dispatch, claim or complete runs, or nil if none is known.
  package let failure: WorkerFailureObservation?
}

/// A reason why a connected worker cannot dispatch, claim or complete runs.
package struct WorkerFailureObservation: Sendable, Codable {
  /// The SQLSTATE of the error, or ``noHeartbeat``.
  package let reason: String
  /// The time in seconds since the first failure, or since the last heartbeat if the reason is
  /// ``noHeartbeat``.
  package let seconds: Double

  /// The failure reason for a worker that is connected, but whose heartbeats are not stored.
  package static let noHeartbeat = "no heartbeat"
}

extension Observation {
  /// Whether at least one worker is connected and every connected worker is failing.
  package var hasOnlyFailingWorkers: Bool {
    workers.contains { $0.failure != nil } && !workers.contains { $0.failure == nil && !$0.isLost }
  }
}

/// The server's connections.
package struct ConnectionsObservation: Sendable, Codable {
  /// The number of open connections in all databases.
  package let used: Int
  /// The maximum number of connections, excluding those that are reserved for superusers.
  package let allowed: Int
}

/// An open transaction.
package struct TransactionObservation: Sendable, Codable {
  /// The duration of the transaction so far, in seconds.
  package let seconds: Double
  /// The process id of the session on the server.
  package let pid: Int
  /// The user of the session.
  package let user: String
  /// The `application_name` of the session.
  package let applicationName: String
  /// The state of the session, for example `active` or `idle in transaction`.
  package let state: String
}

/// The statistics of a table, as reported by the server.
package struct TableObservation: Sendable, Codable {
  /// The name of the table.
  package let name: String
  /// The approximate number of rows in the table.
  package let rows: Int64
  /// The size of the table on disk in bytes, including indexes.
  package let bytes: Int64
  /// The approximate number of dead rows that VACUUM can remove.
  package let deadRows: Int64
  /// The numbers of rows that have been inserted and deleted since the server's statistics were
  /// last reset.
  package let inserted, deleted: Int64
}
