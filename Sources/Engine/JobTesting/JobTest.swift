public import BatonPostgres
public import JobRunner
import Logging
import RunnerSQL

/// A whole Baton of a test's own, on a real server: a migrated schema that is dropped afterwards.
///
/// ```swift
/// try await JobTest.run([RegisteredJob(SendDigest.self) { ... }], at: address) { test in
///   try await test.sql("select enqueue('send-digest', 'user-1')")
///   #expect(try await test.drain() == 0)
///   #expect(try await test.runs().isEmpty)
/// }
/// ```
/// Any number of tests can run on one server at once; none sees another's schema.
public struct JobTest: Sendable {
  /// The schema; nobody else knows it.
  public let schema: Schema
  /// How to reach it.
  public let configuration: ConnectionConfiguration
  let jobs: [RegisteredJob]
  private let kept: KeptConnections

  private init(_ jobs: [RegisteredJob], in schema: Schema, at address: String) {
    self.jobs = jobs
    self.schema = schema
    configuration = ConnectionConfiguration(address: address)
    kept = KeptConnections(configuration)
  }

  /// Runs `body` in a schema of its own, with the jobs defined in it, and drops it afterwards.
  ///
  /// - Parameters:
  ///   - jobs: what ``drain()`` works.
  ///   - parts: what they need of the schema beside the runner's part.
  ///   - migrated: false leaves the schema out altogether, for tests of migrations.
  ///   - address: a server where schemas may be made, as `DATABASE_URL` would name it.
  /// - Throws: what `body` throws; `PostgresError` where the schema cannot be made or dropped.
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

  /// Runs `body` in a schema that is there already, with the jobs defined in it; the schema stays.
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

  /// A new connection; the test closes it.
  ///
  /// - Throws: `PostgresError`.
  public func connect() async throws(PostgresError) -> Connection {
    try await Connection.open(configuration)
  }

  /// Runs one statement in the schema, for arranging and asserting.
  ///
  /// - Returns: for a query, each row as text, its columns separated by commas.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func sql(_ text: String) async throws(PostgresError) -> [String] {
    try await kept.with { (connection) throws(PostgresError) in
      try await JobTest.sql(text, on: connection, in: schema)
    }
  }

  // MARK: The queue

  /// Folds and works until nothing is left, debounces and backoffs aside.
  ///
  /// Once a clock was set, what is due of the schedules is fired first. Without one nothing fires:
  /// a test would otherwise depend on the hour at which it runs.
  ///
  /// - Returns: the number of dead runs.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func drain() async throws -> Int {
    if try await sql("select from development").count == 1 { try await fireSchedules() }
    let drainer = try await Drainer(
      jobs, on: configuration, schema: schema,
      logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    let dead = try await drainer.drain()
    try await drainer.close()
    return dead
  }

  /// Fires what is due of the jobs' schedules, as every worker does; ``drain()`` works it.
  ///
  /// - Returns: how many occurrences became events.
  /// - Throws: `PostgresError`.
  @discardableResult
  public func fireSchedules() async throws -> Int {
    let connection = try await connect()
    let fired = try await Scheduler(Session(connection, in: schema), jobs: jobs).fireDue()
    await connection.close()
    return fired
  }

  /// What became of the occurrences of schedules, as `job time outcome`, oldest first; of a schedule with a
  /// name as `job/name time outcome`.
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

  /// What ended runs of jobs that keep history did, oldest first.
  ///
  /// - Throws: `PostgresError`.
  public func history() async throws -> [EndedRun] {
    let connection = try await connect()
    let ended = try await Queue(Session(connection, in: schema)).history(of: nil, limit: 10_000)
    await connection.close()
    return ended.reversed()
  }

  /// Runs that are ready, running or dead, newest first.
  ///
  /// - Throws: `PostgresError`.
  public func runs() async throws -> [ListedRun] {
    let connection = try await connect()
    let runs = try await Queue(Session(connection, in: schema)).runs(
      of: nil, state: nil, limit: 10_000)
    await connection.close()
    return runs
  }

  /// Events that are recorded and not folded yet, as `topic key`, oldest first.
  ///
  /// - Throws: `PostgresError`.
  public func events() async throws -> [String] {
    try await texts(
      """
      select topic || ' ' || key from unfolded_event order by recorded_at, id
      """)
  }

  /// The rows of a query with one column of text, as they are.
  private func texts(_ query: String) async throws -> [String] {
    let call = Call.rows(Statement("test/texts \(query.utf8.count)", query)) {
      (row) throws(PostgresError) in try row.decode(String.self)
    }
    return try await kept.with { (connection) throws(PostgresError) in
      try await connection.atomically(in: schema, call)
    }
  }

  // MARK: The clock

  /// Lets domain time stand at an instant from now on; the first call makes the clock settable.
  ///
  /// Schedules begin with their first occurrence after the first call's instant.
  ///
  /// Queue time (due, backoff, lease) stays the server's; what was asked for at a time that has come is due.
  ///
  /// - Parameter instant: anything PostgreSQL reads, for example `2024-02-29 23:59:59.999999Z`.
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
    // The first time, schedules are computed anew from here on.
    if isFirst { try await Queue(Session(connection, in: schema)).define(jobs) }
    await connection.close()
  }
}

extension JobTest {
  /// Runs one statement of a test's on a connection of its choice, in a transaction of its own.
  ///
  /// - Returns: for a query, each row as text, its columns separated by commas.
  /// - Throws: `PostgresError`.
  public static func sql(
    _ text: String, on connection: Connection, in schema: Schema
  ) async throws(PostgresError) -> [String] {
    let isQuery = ["select", "with", "table"].contains {
      text.lowercased().drop(while: \.isWhitespace).hasPrefix($0)
    }
    let wrapped = isQuery ? "select trim(both '()' from q::text) from (\(text)) q" : text
    // By bytes: hashes of strings are the same for two spellings of one letter.
    let call = Call.rows(Statement("test/\(Array(wrapped.utf8).hashValue)", wrapped)) {
      (row) throws(PostgresError) in try row.decode(String.self)
    }
    return try await connection.atomically(in: schema, call)
  }
}
