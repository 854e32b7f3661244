import BatonJobs
import BatonPostgres
import Foundation
import RunnerSQL

/// The statements that read an ``Observation``.
enum ObservationCalls {
  /// The figures of a job, except estimates and figures about dead runs.
  struct Job: Sendable {
    let name: String
    let isPaused: Bool
    let concurrency: Int?
    let debounce: Int64
    let runs, batches: Int64
    let ready, delayed: Int64
    /// The number of running runs, or nil if the job has too many runs to count.
    let running: Int64?
    let oldestDue, oldestWrite: Int64?
    let retrying: Int64
    let failedAttempts: Int32
    let oldestRetry: Int64?
    var commonFailure: CommonFailureObservation?
    var isRetired = false
    var unregistered: Int64?
  }

  /// The estimated number of a job's runs in each state.
  struct Sampled: Sendable {
    var ready: Int64 = 0
    var delayed: Int64 = 0
    var running: Int64 = 0
  }

  /// The number of a job's dead runs.
  struct Dead: Sendable {
    let job: String
    let count: Count
  }

  struct Server: Sendable {
    let now: Timestamp
    let connections: ConnectionsObservation
    let isReadOnly: Bool
    let hidden: Int64
    let oldest: TransactionObservation?
  }

  static let limit = Call.run(SQL.Observation.limit)

  static let jobs = Call.rows(SQL.Observation.readJobs) { (row) throws(PostgresError) in
    let (
      name, isPaused, concurrency, debounce, runs, batches, ready, delayed, running, due, write,
      retrying, attempts, retry, failingWorkers, reason, failingFor, isRetired, unregistered
    ) =
      try row.decode(
        String.self, Bool.self, Int32?.self, Int64.self, Int64.self, Int64.self, Int64.self,
        Int64.self, Int64?.self, Int64?.self, Int64?.self, Int64.self, Int32.self, Int64?.self,
        Int64.self, String?.self, Int64?.self, Bool.self, Int64?.self)
    return Job(
      name: name, isPaused: isPaused, concurrency: concurrency.map { Int($0) },
      debounce: debounce, runs: runs, batches: batches, ready: ready, delayed: delayed,
      running: running, oldestDue: due, oldestWrite: write, retrying: retrying,
      failedAttempts: attempts, oldestRetry: retry,
      commonFailure: reason.map {
        CommonFailureObservation(
          reason: $0, workers: Int(failingWorkers), seconds: failingFor.seconds ?? 0)
      }, isRetired: isRetired, unregistered: unregistered)
  }

  static let sample = Call.rows(SQL.Observation.sampleRuns) { (row) throws(PostgresError) in
    let (job, ready, delayed, running) = try row.decode(
      String.self, Int64.self, Int64.self, Int64.self)
    return (job, Sampled(ready: ready, delayed: delayed, running: running))
  }

  static let dead = Call.rows(SQL.Observation.countDead) { (row) throws(PostgresError) in
    let (job, runs, isWhole, about) = try row.decode(
      String.self, Int64.self, Bool.self, Int64.self)
    let count = Count(value: Int(isWhole ? runs : max(runs, about)), isEstimate: !isWhole)
    return Dead(job: job, count: count)
  }

  static let folding = Call.row(SQL.Observation.readFolding) { (row) throws(PostgresError) in
    let (events, about, oldest, isOwn) = try row.decode(
      Int64.self, Int64.self, Int64?.self, Bool.self)
    return FoldingObservation(
      oldestUnfoldedSeconds: oldest.seconds, events: Count(counted: events, orAbout: about),
      isOfThisServer: isOwn)
  }

  static let schedules = Call.rows(SQL.Observation.listSchedules) { (row) throws(PostgresError) in
    let (job, name, isPaused, next, late) = try row.decode(
      String.self, String.self, Bool.self, Timestamp?.self, Int64?.self)
    return ScheduleObservation(
      name: "\(ScheduleID(job: job, column: name))", job: job, isPaused: isPaused, next: next,
      lateSeconds: late.seconds)
  }

  static let workers = Call.rows(SQL.Observation.listWorkers) { (row) throws(PostgresError) in
    let (id, name, pid, started, beat, isLost, release, reason, failing) = try row.decode(
      UUID.self, String.self, Int32.self, Int64.self, Int64.self, Bool.self, Int32?.self,
      String?.self, Int64?.self)
    return WorkerObservation(
      id: id.uuidString.lowercased(), name: name, pid: Int(pid), startedSeconds: started.seconds,
      heartbeatSeconds: beat.seconds, isLost: isLost, release: release.map { Int($0) },
      failure: reason.map {
        WorkerFailureObservation(reason: $0, seconds: failing.seconds ?? 0)
      })
  }

  static let server = Call.row(SQL.Observation.readServer) { (row) throws(PostgresError) in
    let (now, used, allowed, hidden, age, pid, user, application, state, isReadOnly) =
      try row.decode(
        Timestamp.self, Int64.self, Int64.self, Int64.self, Int64?.self, Int32?.self, String?.self,
        String?.self, String?.self, Bool.self)
    return Server(
      now: now, connections: ConnectionsObservation(used: Int(used), allowed: Int(allowed)),
      isReadOnly: isReadOnly, hidden: hidden,
      oldest: age.map {
        TransactionObservation(
          seconds: $0.seconds, pid: Int(pid ?? 0), user: user ?? "?",
          applicationName: application ?? "", state: state ?? "?")
      })
  }

  static let tables = Call.rows(SQL.Observation.measureTables) { (row) throws(PostgresError) in
    let (name, rows, dead, bytes, inserted, deleted) = try row.decode(
      String.self, Int64.self, Int64.self, Int64.self, Int64.self, Int64.self)
    return TableObservation(
      name: name, rows: rows, bytes: bytes, deadRows: dead, inserted: inserted, deleted: deleted)
  }
}

extension Int64 {
  /// The number of milliseconds, converted to seconds.
  var seconds: Double { Double(self) / 1_000 }
}

extension Int64? {
  /// The age in milliseconds, converted to seconds.
  ///
  /// An event that is newer than the reading transaction has age 0.
  var seconds: Double? { map { Swift.max(0, $0).seconds } }
}
