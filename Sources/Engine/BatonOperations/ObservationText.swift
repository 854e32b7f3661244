import BatonPostgres
import JobRunner

/// The Prometheus samples of an observation.
///
/// The number of series is small, because labels only contain the names of jobs, schedules and
/// tables.
extension PrometheusText {
  mutating func add(_ observation: Observation) {
    addJobs(observation.jobs)
    addSchedules(observation.schedules)
    add(
      "baton_unfolded_event_age_seconds",
      "How old the oldest event is that no run stands for; 0: there is none.",
      observation.folding.oldestUnfoldedSeconds ?? 0)
    add(
      "baton_unfolded_events", "Events that no run stands for; above 10,000 an estimate.",
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
      "Freshness: the age of the oldest write whose run is not done or being retried; 0: there is none.",
      samples { $0.oldestUnfinishedWriteSeconds ?? 0 })
    add(
      "baton_due_run_age_seconds", "How long the oldest due run has waited; 0: none is due.",
      samples { $0.oldestDueSeconds ?? 0 })
    let states: [(String, (JobObservation) -> Count)] = [
      ("ready", { $0.ready }), ("running", { $0.running }), ("delayed", { $0.delayed }),
      ("dead", { $0.dead }),
    ]
    let counts = jobs.flatMap { job in
      states.map { ([(name: "job", value: job.name), (name: "state", value: $0.0)], $0.1(job)) }
    }
    add("baton_runs", "Runs by state.", counts.map { Sample($0.0, Double($0.1.value)) })
    add(
      "baton_runs_estimated", "1 where the number of runs is an estimate: above 10,000.",
      counts.map { Sample($0.0, $0.1.isEstimate ? 1 : 0) })
    add(
      "baton_retrying_runs",
      "Runs that failed and wait for their next attempt; above 10,000 an estimate.",
      samples { Double($0.retrying.value) })
    add(
      "baton_retrying_attempts_max",
      "The highest number of failed attempts of a run that is being retried; 0: none is.",
      samples { Double($0.failedAttempts) })
    add(
      "baton_job_failing_workers", "The number of workers in which every run of the job fails.",
      samples { Double($0.commonFailure?.workers ?? 0) })
    add("baton_job_paused", "1: no worker claims its runs.", samples { $0.isPaused ? 1 : 0 })
    add(
      "baton_job_concurrency", "How many runs at once, at most.",
      samples { $0.concurrency.map(Double.init) })
    add(
      "baton_job_runs_done_total", "Runs that ended well, of all workers.",
      samples { Double($0.runsDone) }, as: .counter)
  }

  private mutating func addSchedules(_ schedules: [ScheduleObservation]) {
    func samples(_ value: (ScheduleObservation) -> Double?) -> [Sample] {
      schedules.map { Sample([("schedule", $0.name)], value($0)) }
    }
    add(
      "baton_schedule_late_seconds", "How late its next occurrence is; 0: it is not.",
      samples { $0.lateSeconds ?? 0 })
    add("baton_schedule_paused", "1: its occurrences pass.", samples { $0.isPaused ? 1 : 0 })
    add(
      "baton_schedule_next_timestamp_seconds", "When it fires next.",
      samples { $0.next.map { Double($0.microseconds) / 1_000_000 } })
  }

  private mutating func addWorkers(_ workers: [WorkerObservation]) {
    let lost = workers.filter(\.isLost).count
    add(
      "baton_workers", "Workers by whether they say that they live.",
      [
        Sample([("state", "alive")], Double(workers.count - lost)),
        Sample([("state", "lost")], Double(lost)),
      ])
  }

  private mutating func addServer(_ observation: Observation) {
    add(
      "baton_connections_used", "Open connections of the server.",
      Double(observation.connections.used))
    add(
      "baton_connections_allowed", "How many it takes.", Double(observation.connections.allowed))
    let oldest = observation.oldestTransaction
    add(
      "baton_oldest_transaction_seconds", "How long the oldest transaction is open; 0: none is.",
      oldest?.seconds ?? 0)
    add(
      "baton_oldest_transaction_pid", "The server process that holds it; 0: none does.",
      Double(oldest?.pid ?? 0))
    add(
      "baton_oldest_transaction_seen",
      "0: who reads may not see the transactions of all, and there may be an older one.",
      observation.isOldestTransactionSeen ? 1 : 0)
  }

  private mutating func addTables(_ tables: [TableObservation]) {
    func samples(_ value: (TableObservation) -> Double) -> [Sample] {
      tables.map { Sample([("table", $0.name)], value($0)) }
    }
    add("baton_table_rows", "About how many rows it has.", samples { Double($0.rows) })
    add("baton_table_dead_rows", "About how many wait for vacuum.", samples { Double($0.deadRows) })
    add("baton_table_bytes", "Its size with its indexes.", samples { Double($0.bytes) })
  }
}
