import BatonPostgres
import JobRunner

extension JobTest {
  /// Moves domain time to an instant.
  ///
  /// Fires the schedules and executes the runs that become due before the instant, each at its due
  /// time.
  ///
  /// The clock stops at each occurrence of a schedule, and at each time for which a run was
  /// enqueued. The clock also stops at the timeout of each run that is waiting for an event.
  /// Whenever the clock stops, ``drain()`` fires the schedules and executes the runs.
  /// ``setClock(to:)`` moves the clock in one step, so each schedule misses all occurrences except
  /// the last.
  ///
  /// ```swift
  /// try await test.setClock(to: "2024-03-01 00:00Z")
  /// try await test.advance(to: "2024-04-01 00:00Z")  // fires a daily schedule 31 times
  /// ```
  /// - Parameter instant: the text of an instant, in any format that PostgreSQL can parse.
  /// - Returns: the number of dead runs.
  /// - Throws: an error if ``setClock(to:)`` was not called before, or `PostgresError`.
  @discardableResult
  public func advance(to instant: String) async throws -> Int {
    guard try await sql("select from development").count == 1 else {
      throw FailedExpectation(
        description: "The test's clock is not set. Call setClock(to:) before advance(to:).")
    }
    try await drain()
    while let stop = try await nextStop(until: instant) {
      try await setClock(to: stop)
      try await drain()
    }
    try await setClock(to: instant)
    return try await drain()
  }

  /// Returns the earliest future time when a schedule fires, a run is due, or a wait for an event
  /// times out.
  ///
  /// The method returns nil if the earliest time is after `instant`.
  private func nextStop(until instant: String) async throws -> String? {
    let connection = try await connect()
    let session = Session(connection, in: schema)
    let now = try await connection.atomically(in: schema, Self.readClock)
    let firing = try await Scheduler(session, jobs: jobs).nextFireTimes().first { $0.at > now }
    let find = Call.row(Self.findStop, firing?.at, instant) { (row) throws(PostgresError) in
      try row.decode(String?.self)
    }
    let stop: String? = try await connection.atomically(in: schema, find)
    await connection.close()
    return stop
  }

  private static let readClock = Call.row(Statement("test/read_clock", "select domain_now()")) {
    (row) throws(PostgresError) in try row.decode(Timestamp.self)
  }

  /// Finds the next time that `advance(to:)` moves the clock to.
  ///
  /// $1: the next time when a schedule fires, or null if no schedule fires. $2: the final time of
  /// `advance(to:)`.
  private static let findStop = Statement(
    "test/find_stop",
    """
    select min(at)::text from (
      select $1::timestamptz as at
      union all
      select min(run_at) from run where worker is null and run_at > domain_now()
      union all
      select min(w.expires_at) from event_wait w join run r on r.id = w.run_id and r.attempt = w.attempt
      where r.worker is null and w.expires_at > domain_now()
    ) stop
    where at <= $2::text::timestamptz
    """)
}
