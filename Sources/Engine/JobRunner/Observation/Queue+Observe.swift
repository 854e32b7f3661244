package import BatonPostgres

extension Queue {
  /// What the person on duty asks, as it is now: one round trip of some milliseconds, which reads the first 10,000
  /// of what there is and a sample of the rest, and changes nothing.
  ///
  /// A role like `dashboard` may do it; what it may not see is said (``Observation/isOldestTransactionSeen``).
  ///
  /// - Throws: `PostgresError`: 55P03 or 57014 where a table is locked for longer than a second, as a migration does.
  package func observe() async throws -> Observation {
    typealias Calls = ObservationCalls
    let (_, jobs, sample, dead, folding, schedules, workers, server, tables) =
      try await session.atomically(
        Calls.limit, Calls.jobs, Calls.sample, Calls.dead, Calls.folding, Calls.schedules,
        Calls.workers, Calls.server, Calls.tables)
    return Observation(
      at: server.now, jobs: Self.merge(jobs, sample, dead), folding: folding,
      schedules: schedules, workers: workers, connections: server.connections,
      oldestTransaction: server.oldest, isOldestTransactionSeen: server.hidden == 0,
      tables: tables)
  }

  /// What one statement answers, under what holds for an observation: it reads, and does not wait for long.
  ///
  /// - Throws: `PostgresError`; 25006 where it would change something.
  package func look<Output: Sendable>(_ call: Call<Output>) async throws(PostgresError) -> Output {
    let (_, output) = try await session.atomically(ObservationCalls.limit, call)
    return output
  }

  private static func merge(
    _ jobs: [ObservationCalls.Job], _ sample: [(String, ObservationCalls.Sampled)],
    _ dead: [ObservationCalls.Dead]
  ) -> [JobObservation] {
    let sampled = Dictionary(sample) { first, _ in first }
    let known = Set(jobs.map(\.name))
    // Of a job that was taken out of the schema its dead runs are left.
    let gone = dead.filter { !known.contains($0.job) }.map {
      ObservationCalls.Job(
        name: $0.job, isPaused: false, concurrency: nil, debounce: 0, runs: 0, batches: 0,
        ready: 0, delayed: 0, running: 0, oldestDue: nil, oldestWrite: nil, retrying: 0,
        failedAttempts: 0, oldestRetry: nil)
    }
    return (jobs + gone).map { job in
      JobObservation(
        job, sampled[job.name] ?? .init(),
        dead: dead.first { $0.job == job.name }?.count ?? Count(value: 0))
    }
  }
}

extension JobObservation {
  fileprivate init(
    _ job: ObservationCalls.Job, _ sampled: ObservationCalls.Sampled, dead: Count
  ) {
    name = job.name
    isPaused = job.isPaused
    ready = Count(counted: job.ready, orAbout: sampled.ready)
    running =
      job.running.map { Count(value: Int($0)) }
      ?? Count(value: Int(sampled.running), isEstimate: true)
    delayed = Count(counted: job.delayed, orAbout: sampled.delayed)
    self.dead = dead
    oldestDueSeconds = job.oldestDue.seconds
    oldestUnfinishedWriteSeconds = job.oldestWrite.seconds
    retrying = Count(counted: job.retrying, orAbout: sampled.delayed)
    failedAttempts = Int(job.failedAttempts)
    oldestRetriedWriteSeconds = job.oldestRetry.seconds
    concurrency = job.concurrency
    debounceSeconds = job.debounce.seconds
    runsDone = job.runs
    batchesDone = job.batches
  }
}
