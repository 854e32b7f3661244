import BatonPostgres
import JobRunner

/// The Prometheus samples of an observation.
///
/// The number of series is small, because labels contain only the names of jobs, schedules and
/// tables.
extension PrometheusText {
  mutating func add(_ observation: Observation) {
    addJobs(observation.jobs)
    addSchedules(observation.schedules)
    add(
      "baton_unfolded_event_age_seconds",
      "Age of the oldest event that is not dispatched yet, or 0.",
      observation.folding.oldestUnfoldedSeconds ?? 0)
    add(
      "baton_unfolded_events",
      "Number of events that are not dispatched yet; an estimate above 10,000.",
      Double(observation.folding.events.value))
    addWorkers(observation.workers)
    addServer(observation)
    addTables(observation.tables)
  }

  private mutating func addJobs(_ jobs: [JobObservation]) {
    func samples(_ value: (JobObservation) -> Double?) -> [Sample] {
      jobs.map { Sample([("job", $0.name)], value($0)) }
    }
    add(
      "baton_unfinished_write_age_seconds",
      "Age of the oldest write whose run is neither done nor being retried, or 0 (freshness).",
      samples { $0.oldestUnfinishedWriteSeconds ?? 0 })
    add(
      "baton_due_run_age_seconds", "Time that the oldest due run has waited, or 0.",
      samples { $0.oldestDueSeconds ?? 0 })
    let states: [(String, (JobObservation) -> Count)] = [
      ("ready", { $0.ready }), ("running", { $0.running }), ("delayed", { $0.delayed }),
      ("dead", { $0.dead }),
    ]
    let counts = jobs.flatMap { job in
      states.map { ([(name: "job", value: job.name), (name: "state", value: $0.0)], $0.1(job)) }
    }
    add("baton_runs", "Number of runs by state.", counts.map { Sample($0.0, Double($0.1.value)) })
    add(
      "baton_runs_estimated", "1 if the number of runs is an estimate, which it is above 10,000.",
      counts.map { Sample($0.0, $0.1.isEstimate ? 1 : 0) })
    add(
      "baton_retrying_runs",
      "Number of failed runs that wait for their next attempt; an estimate above 10,000.",
      samples { Double($0.retrying.value) })
    add(
      "baton_retrying_attempts_max",
      "Highest number of failed attempts of a run that is being retried, or 0.",
      samples { Double($0.failedAttempts) })
    add(
      "baton_job_failing_workers", "The number of workers in which every run of the job fails.",
      samples { Double($0.commonFailure?.workers ?? 0) })
    add(
      "baton_job_paused", "1 if the job is paused, so that no worker claims its runs.",
      samples { $0.isPaused ? 1 : 0 })
    add(
      "baton_job_concurrency", "Maximum number of runs of the job at the same time.",
      samples { $0.concurrency.map(Double.init) })
    add(
      "baton_job_runs_done_total", "Number of completed runs of all workers.",
      samples { Double($0.runsDone) }, as: .counter)
  }

  private mutating func addSchedules(_ schedules: [ScheduleObservation]) {
    func samples(_ value: (ScheduleObservation) -> Double?) -> [Sample] {
      schedules.map { Sample([("schedule", $0.name)], value($0)) }
    }
    add(
      "baton_schedule_late_seconds", "Time by which the next occurrence is late, or 0.",
      samples { $0.lateSeconds ?? 0 })
    add(
      "baton_schedule_paused", "1 if the schedule is paused, so that its occurrences are skipped.",
      samples { $0.isPaused ? 1 : 0 })
    add(
      "baton_schedule_next_timestamp_seconds", "Time at which the schedule fires next.",
      samples { $0.next.map { Double($0.microseconds) / 1_000_000 } })
  }

  private mutating func addWorkers(_ workers: [WorkerObservation]) {
    let lost = workers.filter(\.isLost).count
    add(
      "baton_workers", "Number of registered workers that are alive or lost.",
      [
        Sample([("state", "alive")], Double(workers.count - lost)),
        Sample([("state", "lost")], Double(lost)),
      ])
  }

  private mutating func addServer(_ observation: Observation) {
    add(
      "baton_connections_used", "Number of open connections of the server.",
      Double(observation.connections.used))
    add(
      "baton_connections_allowed", "Maximum number of connections of the server.",
      Double(observation.connections.allowed))
    let oldest = observation.oldestTransaction
    add(
      "baton_oldest_transaction_seconds",
      "Time for which the oldest transaction has been open, or 0.",
      oldest?.seconds ?? 0)
    add(
      "baton_oldest_transaction_pid", "Id of the server process with the oldest transaction, or 0.",
      Double(oldest?.pid ?? 0))
    add(
      "baton_oldest_transaction_seen",
      "0 if this login may not see all transactions, so that an older one may exist.",
      observation.isOldestTransactionSeen ? 1 : 0)
  }

  private mutating func addTables(_ tables: [TableObservation]) {
    func samples(_ value: (TableObservation) -> Double) -> [Sample] {
      tables.map { Sample([("table", $0.name)], value($0)) }
    }
    add("baton_table_rows", "Approximate number of rows of the table.", samples { Double($0.rows) })
    add(
      "baton_table_dead_rows", "Approximate number of dead rows of the table.",
      samples { Double($0.deadRows) })
    add("baton_table_bytes", "Size of the table with its indexes.", samples { Double($0.bytes) })
  }
}
