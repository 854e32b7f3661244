public import BatonPostgres
public import JobRunner
import Logging
import RunnerSQL

/// A complete, migrated Baton schema on a real server, for one test.
///
/// The schema is dropped after the test.
///
/// ```swift
/// try await JobTest.run([RegisteredJob(SendDigest.self) { ... }], at: address) { test in
///   try await test.sql("select enqueue('send-digest', 'user-1')")
///   #expect(try await test.drain() == 0)
///   #expect(try await test.runs().isEmpty)
/// }
/// ```
/// Any number of tests can run concurrently on one server, because each test uses its own schema.
public struct JobTest: Sendable {
  /// The schema of this test, which has a random name.
  public let schema: Schema
  /// The configuration of connections to the server.
  public let configuration: ConnectionConfiguration
  let jobs: [RegisteredJob]
  let kept: KeptConnections

  private init(_ jobs: [RegisteredJob], in schema: Schema, at address: String) {
    self.jobs = jobs
    self.schema = schema
    configuration = ConnectionConfiguration(address: address)
    kept = KeptConnections(configuration)
  }

  /// Executes `body` in a new schema with the given jobs, and drops the schema afterwards.
  ///
  /// - Parameters:
  ///   - jobs: the jobs whose runs ``drain()`` executes.
  ///   - parts: the schema modules that the jobs need in addition to Baton's modules.
  ///   - address: a server on which schemas may be created, in the form of `DATABASE_URL`.
  ///   - migrated: whether the schema is created and migrated before the test. A test of migrations
  ///     passes `migrated: false`.
  /// - Throws: any error that `body` throws, or `PostgresError` if the schema cannot be created or
  ///   dropped.
  public static func run<R>(
    _ jobs: [RegisteredJob], parts: [SchemaPart] = [], at address: String, migrated: Bool = true,
    _ body: (JobTest) async throws -> R
  ) async throws -> R {
    let name = "test_\(UInt64.random(in: .min ... .max))"
    guard let schema = Schema(name) else { preconditionFailure("\(name) is a schema's name") }
    let test = JobTest(jobs, in: schema, at: address)
    let result: Result<R, any Error>
    do {
      if migrated {
        let connection = try await test.connect()
        _ = try await Migrator(schema, parts: parts).migrate(connection)
        try await test.define()
        _ = try await TableTriggers(schema, of: "test", jobs: jobs).migrate(connection)
        await connection.close()
      }
      result = .success(try await body(test))
    } catch {
      result = .failure(error)
    }
    await test.kept.close()
    let connection = try await test.connect()
    try await connection.script(Statement("test/drop", "drop schema if exists \(name) cascade"))
    await connection.close()
    return try result.get()
  }

  /// Executes `body` in an existing schema with the given jobs, without dropping the schema.
  package static func run<R>(
    _ jobs: [RegisteredJob], in schema: Schema, at address: String,
    _ body: (JobTest) async throws -> R
  ) async throws -> R {
    let test = JobTest(jobs, in: schema, at: address)
    let result: Result<R, any Error>
    do {
      if !jobs.isEmpty { try await test.define() }
      result = .success(try await body(test))
    } catch {
      result = .failure(error)
    }
    await test.kept.close()
    return try result.get()
  }

  private func define() async throws {
    let connection = try await connect()
    try await Queue(Session(connection, in: schema)).define(jobs)
    await connection.close()
  }

  /// Opens a new connection to the test's server.
  ///
  /// The test must close the connection.
  ///
  /// - Throws: `PostgresError`.
  public func connect() async throws(PostgresError) -> Connection {
    try await Connection.open(configuration)
  }

  /// Executes one statement in the schema, to prepare or to check data.
  ///
  /// - Returns: the rows of a query as text, with commas between the columns.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func sql(_ text: String) async throws(PostgresError) -> [String] {
    try await kept.with { (connection) throws(PostgresError) in
      try await JobTest.sql(text, on: connection, in: schema)
    }
  }

  // MARK: The queue

  /// Dispatches events and executes runs until no runs are due, without waiting for debounces and
  /// backoffs.
  ///
  /// If the test has set the clock, due schedules fire first. If the clock is not set, no schedules
  /// fire, so the test's result does not depend on the time of day.
  ///
  /// A run that is waiting for an event stays in the queue until the event is sent, or until the
  /// clock has passed the timeout. If the clock is not set, the timeout of a waiting run uses the
  /// server's time.
  ///
  /// A run that fails or throws a `Snooze` is executed again without a pause. If a run fails or
  /// snoozes in every attempt, the drain stops with an error that names the run and its last error:
  ///
  /// ```swift
  /// // The job throws a Snooze until the clock has passed 07:00.
  /// await #expect(throws: (any Error).self) { try await test.drain(mostAttempts: 3) }
  /// try await test.setClock(to: "2024-05-16 07:00Z")
  /// try await test.drain()
  /// ```
  /// - Parameter mostAttempts: the maximum number of attempts per run. 100 attempts take about 10
  ///   s.
  /// - Returns: the number of dead runs.
  /// - Throws: an error if a run needs more than `mostAttempts` attempts, or `PostgresError`. If a
  ///   run needs too many attempts, the drain stops, and the queue still contains that run and
  ///   possibly other runs.
  @discardableResult
  public func drain(mostAttempts: Int = 100) async throws -> Int {
    if try await sql("select from development").count == 1 { try await fireSchedules() }
    let drainer = try await Drainer(
      jobs, on: configuration, schema: schema, mostAttempts: mostAttempts,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let result: Result<Int, any Error>
    do {
      result = .success(try await drainer.drain())
    } catch let run as EndlessRun {
      result = .failure(FailedExpectation(run))
    } catch {
      result = .failure(error)
    }
    do {
      try await drainer.close()
    } catch {
      // If the drain has failed, the drain's error is thrown instead of the error from `close`.
      _ = try result.get()
      throw error
    }
    return try result.get()
  }

  /// Fires due schedules, as a worker does.
  ///
  /// ``drain()`` executes the runs that the fired schedules create.
  ///
  /// - Returns: the number of occurrences that became events.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func fireSchedules() async throws -> Int {
    let connection = try await connect()
    let fired = try await Scheduler(Session(connection, in: schema), jobs: jobs).fireDue()
    await connection.close()
    return fired
  }

  /// Returns the results of the schedules' occurrences, oldest first.
  ///
  /// Each string is `job time outcome`, or `job/name time outcome` for a schedule with a name.
  ///
  /// - Throws: `PostgresError`.
  public func occurrences() async throws -> [String] {
    try await texts(
      """
      select rtrim(job || '/' || name, '/') || ' ' || to_char(scheduled_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
        || ' ' || outcome
      from occurrence order by scheduled_at, job, name
      """)
  }

  /// Returns the ended runs of jobs with a run history, oldest first.
  ///
  /// - Throws: `PostgresError`.
  public func history() async throws -> [EndedRun] {
    let connection = try await connect()
    let ended = try await Queue(Session(connection, in: schema)).history(of: nil, limit: 10_000)
    await connection.close()
    return ended.reversed()
  }

  /// Returns the runs that are ready, running or dead, newest first.
  ///
  /// - Throws: `PostgresError`.
  public func runs() async throws -> [ListedRun] {
    let connection = try await connect()
    let runs = try await Queue(Session(connection, in: schema)).runs(limit: 10_000)
    await connection.close()
    return runs
  }

  /// Returns the events that have not been dispatched, oldest first, each as `topic key`.
  ///
  /// - Throws: `PostgresError`.
  public func events() async throws -> [String] {
    try await texts(
      """
      select topic || ' ' || key from unfolded_event order by recorded_at, id
      """)
  }

  /// Returns the rows of a query with one text column.
  private func texts(_ query: String) async throws -> [String] {
    let call = Call.rows(Statement("test/texts \(query.utf8.count)", query)) {
      (row) throws(PostgresError) in try row.decode(String.self)
    }
    return try await kept.with { (connection) throws(PostgresError) in
      try await connection.atomically(in: schema, call)
    }
  }

  // MARK: The clock

  /// Sets domain time to an instant, and freezes the clock at that instant.
  ///
  /// The first call converts the schema to a development schema. Schedules start with their first
  /// occurrence after the given instant. If a run was enqueued for a time that the clock has
  /// reached, the run becomes due. Queue time, which determines due times, backoffs and leases, is
  /// always the server's time.
  ///
  /// ```swift
  /// try await test.setClock(to: "2024-02-29 23:59:59.999999Z")
  /// ```
  /// - Parameter instant: any instant that PostgreSQL can parse.
  /// - Throws: `PostgresError`.
  public func setClock(to instant: String) async throws {
    let isFirst = try await sql("select from development").isEmpty
    let connection = try await connect()
    let set = Statement("test/set_clock", "update development set clock = $1::text::timestamptz")
    if isFirst {
      try await connection.atomically(
        in: schema, .run(SQL.Clock.begin, Timestamp(microseconds: 0), true), .run(set, instant),
        .run(SQL.Clock.replaceDomainNow))
    } else {
      try await SteppedClock(Session(connection, in: schema)).move(
        .count(set, instant), from: Timestamp(microseconds: 0))
    }
    // The first call to `setClock(to:)` defines the jobs again, so that the schedules start at the
    // clock's new time.
    if isFirst { try await Queue(Session(connection, in: schema)).define(jobs) }
    await connection.close()
  }
}

extension JobTest {
  /// Executes one statement on the given connection, in a separate transaction.
  ///
  /// - Returns: the rows of a query as text, with commas between the columns.
  /// - Throws: `PostgresError`.
  public static func sql(
    _ text: String, on connection: Connection, in schema: Schema
  ) async throws(PostgresError) -> [String] {
    let isQuery = ["select", "with", "table"].contains {
      text.lowercased().drop(while: \.isWhitespace).hasPrefix($0)
    }
    let wrapped = isQuery ? "select trim(both '()' from q::text) from (\(text)) q" : text
    // The hash is computed from the bytes, because Swift computes the same hash for two Unicode
    // spellings of one letter.
    let call = Call.rows(Statement("test/\(Array(wrapped.utf8).hashValue)", wrapped)) {
      (row) throws(PostgresError) in try row.decode(String.self)
    }
    return try await connection.atomically(in: schema, call)
  }
}
