import BatonPostgres
import JobRunner
import TestSupport
import Testing

/// A queue of the test's own, with records of all events and effects.
///
/// An event raises the version of its key in the same transaction. Therefore, the version that the
/// last run must see is known, even if the connection of the writer was lost.
struct CountQueue: Sendable {
  let schema: Schema
  /// The connection of the test's own statements, which does not pass through the fault.
  let configuration: ConnectionConfiguration
  var job = RegisteredJob(CountJob.self) { Ledger(transaction: $0) }

  /// Creates the queue in the test's own schema on the tests' server, which workers reach at
  /// `address`.
  static func with(
    at address: String? = nil, _ body: (CountQueue) async throws -> Void
  ) async throws {
    try await TestSchema.with(at: address) { test in
      let queue = CountQueue(schema: test.schema, configuration: test.configuration)
      try await queue.make()
      try await body(queue)
    }
  }

  /// Creates the tables in the existing schema.
  func make() async throws {
    try await sql(
      "create table source (key text primary key, version bigint not null default 0)")
    try await sql(
      """
      create table effect (id bigint generated always as identity primary key,
        run bigint not null, key text not null, version bigint not null,
        at timestamptz not null default clock_timestamp())
      """)
    // The work ends its runs before any other statement, so this table contains the state of the
    // runs at that time.
    try await sql("create table ending (xact xid8, run bigint, key text, primary key (xact, run))")
    try await sql(
      """
      create function note_ending() returns trigger language plpgsql set search_path from current
      as $$
      begin
        insert into ending values (pg_current_xact_id(), old.id, old.key);
        return null;
      end $$
      """)
    try await sql(
      """
      create trigger note_ending after delete on run for each row
      when (old.state = 'running') execute function note_ending()
      """)
    try await sql("insert into source (key) select 'k' || n from generate_series(1, 200) n")
    try await look { try await $0.define([job]) }
  }

  @discardableResult
  func sql(_ text: String) async throws -> [String] {
    let connection = try await Connection.open(configuration)
    do {
      let rows = try await connection.sql(text, in: schema)
      await connection.close()
      return rows
    } catch {
      await connection.close()
      throw error
    }
  }

  func count(_ query: String) async throws -> Int {
    Int(try await sql("select count(*) from \(query)").first ?? "") ?? -1
  }

  func look<R>(_ body: (Queue) async throws -> R) async throws -> R {
    let connection = try await Connection.open(configuration)
    let result = try await body(Queue(Session(connection, in: schema)))
    await connection.close()
    return result
  }

  /// A query for the number of this database.
  let database = "select oid from pg_database where datname = current_database()"

  // MARK: Writing

  /// Writes one new version and one event for each key, in one transaction.
  func write(_ keys: [String], on connection: Connection) async throws {
    try await connection.atomically(in: schema, Self.writing(keys))
  }

  /// Returns the same writes as a call, for a transaction that stays open.
  static func writing(_ keys: [String]) -> Call<Void> {
    .run(
      Statement(
        "test/write_source",
        """
        with changed as (
          insert into source (key, version) select k, 1 from unnest($1::text[]) k
          on conflict (key) do update set version = source.version + 1
          returning key
        )
        select append_events('source.changed', array(select key from changed))
        """), keys)
  }

  func write(_ keys: String...) async throws {
    let connection = try await Connection.open(configuration)
    try await write(keys, on: connection)
    await connection.close()
  }

  /// Writes one key after another until the test stops it, with a new connection after every loss.
  func keepWriting(
    _ random: Randomness, on configuration: ConnectionConfiguration? = nil,
    until isOver: () -> Bool
  ) async throws {
    let configuration = configuration ?? self.configuration
    var connection: Connection?
    while !isOver() {
      do {
        let current: Connection
        if let connection { current = connection } else { current = try await .open(configuration) }
        connection = current
        try await write(["k\(random.number(in: 1...200))"], on: current)
      } catch let error as PostgresError {
        guard error.sqlState.isTransient else { throw error }
        await connection?.close()
        connection = nil
      }
      // This pause limits the load. Without it, the writer would use two cores completely.
      try await Task.sleep(for: .milliseconds(5))
    }
    await connection?.close()
  }

  // MARK: Working

  /// Runs `body` together with workers of this process, and stops the workers.
  ///
  /// An error of the workers takes precedence.
  func working(
    _ count: Int = 2, executors: Int = 2, on configuration: ConnectionConfiguration,
    _ body: () async throws -> Void
  ) async throws {
    let workers = (0..<count).map { _ in
      Worker(
        [job], on: configuration, schema: schema, options: .init(concurrency: executors),
        logger: .quiet)
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in workers { group.addTask { try await worker.run() } }
      let result: Result<Void, any Error>
      do {
        try await eventually("\(count) workers") { try await self.count("worker") >= count }
        result = .success(try await body())
      } catch {
        result = .failure(error)
      }
      for worker in workers { worker.stop() }
      try await group.waitForAll()
      try result.get()
    }
  }

  /// Waits until the workers have processed all runs.
  ///
  /// Expects that every version was seen, and that no run was processed twice.
  func expectEverythingOnce(
    within limit: Duration = .seconds(60), sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await eventually("an idle queue", within: limit) {
      try await look { try await $0.pendingWork() }.isIdle
    }
    let lost = try await sql(
      """
      select s.key, s.version, max(e.version) from source s left join effect e using (key)
      where s.version > 0 and s.key not like 'bad%'
      group by 1, 2 having s.version is distinct from max(e.version)
      """)
    let twice = try await sql("select run, count(*) from effect group by 1 having count(*) > 1")
    #expect(lost == [], sourceLocation: sourceLocation)
    #expect(twice == [], sourceLocation: sourceLocation)
    let effects = try await count("effect")
    #expect(effects > 0, sourceLocation: sourceLocation)
    let dead = try await sql("select key, error from dead_run where key not like 'bad%'")
    #expect(dead == [], sourceLocation: sourceLocation)
  }
}
