package import BatonPostgres

extension Queue {
  /// Reads the current state of the queue, without changing anything.
  ///
  /// The method needs one round trip, which takes a few milliseconds. For each kind of row, the
  /// method reads the first 10,000 rows and a sample of the rest. A role with the rights of
  /// `dashboard` can call the method. ``Observation/isOldestTransactionSeen`` reports whether the
  /// role could see all transactions.
  ///
  /// - Throws: `PostgresError`, with SQLSTATE 55P03 or 57014 if a table is locked for longer than 1
  ///   s, for example by a migration.
  package func observe() async throws -> Observation {
    typealias Calls = ObservationCalls
    let (_, jobs, sample, dead, folding, schedules, workers, server, tables) =
      try await session.atomically(
        Calls.limit, Calls.jobs, Calls.sample, Calls.dead, Calls.folding, Calls.schedules,
        Calls.workers, Calls.server, Calls.tables)
    return Observation(
      at: server.now, jobs: Self.merge(jobs, sample, dead), folding: folding,
      schedules: schedules, workers: workers, connections: server.connections,
      isReadOnly: server.isReadOnly,
      oldestTransaction: server.oldest, isOldestTransactionSeen: server.hidden == 0,
      tables: tables)
  }

  /// Runs a read-only statement with a short lock timeout.
  ///
  /// - Throws: `PostgresError`, with SQLSTATE 25006 if the statement tries to write.
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
    // A job that was removed from the schema may still have dead runs.
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
    commonFailure = job.commonFailure
    isRetired = job.isRetired
    unregisteredSeconds = job.unregistered.seconds
  }
}
