import BatonPostgres
import Foundation
import JobTesting
import Logging
import RandomJobs
import RunnerSQL
import Synchronization
import TestSupport

@testable import JobRunner

/// A schema with the jobs of a script, and with all clients, operators and workers.
struct EngineStage: Sendable {
  private static let template = TestTemplate("template_of_engine", parts: [])

  let script: EngineScript
  let test: JobTest
  let folder: TemporaryFolder
  /// A connection that is never killed.
  let admin: Connection

  /// Returns the violations of a script.
  ///
  /// - Parameter see: called with the number of occurrences of each kind of event.
  static func violations(
    of script: EngineScript, see: @Sendable ([String: Int]) -> Void = { _ in }
  ) async throws -> [String] {
    let folder = try TemporaryFolder()
    return try await TestSchema.run([], from: template) { test in
      let admin = try await Connection.open(
        ConnectionConfiguration(
          address: test.configuration.address, applicationName: "engine-admin"))
      let stage = EngineStage(script: script, test: test, folder: folder, admin: admin)
      try await stage.prepare()
      let crew = EngineCrew(stage: stage)
      let holder = try await stage.holdTransaction()
      let left: [String]
      do {
        try await stage.rage(crew)
        let work = try await stage.calmDown()
        // The workers' logs contain the reason why runs are left.
        left = work.isEmpty ? [] : work + [crew.report]
      } catch {
        try? await crew.end()
        await holder?.close()
        throw error
      }
      try await crew.end()
      await holder?.close()
      let violations = try await stage.check()
      see(try await stage.seen())
      await admin.close()
      return left + violations
    }
  }

  var post: String { folder.path + "/posted" }

  func connect() async throws(PostgresError) -> Connection {
    try await Connection.open(test.configuration)
  }

  func job(_ name: String) throws -> RegisteredJob {
    guard let plan = script.plans.first(where: { $0.name == name }) else {
      throw TestFailure("the script has no job \(name)")
    }
    return plan.registered(post: post)
  }

  @discardableResult
  func sql(_ text: String) async throws -> [String] {
    try await JobTest.sql(text, on: admin, in: test.schema)
  }

  // MARK: Acts

  private func prepare() async throws {
    for plan in script.plans where plan.hasTable {
      try await sql("create table \(plan.table) (key text not null)")
    }
    let jobs = script.plans.map { $0.registered(post: post) }
    try await Queue(Session(admin, in: test.schema)).define(jobs)
    _ = try await TableTriggers(test.schema, of: "test", jobs: jobs).migrate(admin)
    try await EngineJournal.make(in: self)
  }

  /// Opens a transaction with an id on a connection that is never killed, if the script requests it.
  private func holdTransaction() async throws -> Connection? {
    guard script.holdsTransaction else { return nil }
    let holder = try await Connection.open(
      ConnectionConfiguration(
        address: test.configuration.address, applicationName: "engine-holder"))
    try await holder.script(Statement("test/begin_holder", "begin"))
    try await holder.run(.run(Statement("test/take_id", "select pg_current_xact_id()::text")))
    return holder
  }

  private func rage(_ crew: EngineCrew) async throws {
    try crew.start()
    async let killed: Void = crew.kill(script.kills)
    async let ordered: Void = EngineOperator(stage: self).run(script.orders)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (lane, deals) in script.lanes.enumerated() {
        group.addTask { try await EngineClient(lane: lane, stage: self).run(deals) }
      }
      try await group.waitForAll()
    }
    try await ordered
    try await killed
  }
  /// Waits until no work remains, and returns the remaining work if the wait takes too long.
  private func calmDown() async throws -> [String] {
    var wait = PatientWait(within: .seconds(15))
    var hasRetried = false
    while true {
      // An operator whose connection was killed may not have ended a pause.
      try await sql("update job set paused_at = null where paused_at is not null")
      try await sql("delete from group_limit")
      let left = try await sql(
        """
        select (select count(*) from run), (select count(*) from unfolded_event),
          (select count(*) from dead_run), (select count(*) from cancellation)
        """)
      // A worker deletes the request to cancel an ended run with its next poll.
      if left == ["0,0,0,0"] { return [] }
      if left[0].hasPrefix("0,0,"), !left[0].hasPrefix("0,0,0,") {
        // Dead runs may be retried once more, and are then discarded.
        let queue = Queue(Session(admin, in: test.schema))
        if hasRetried {
          _ = try await queue.discard(DeadSelection())
        } else {
          _ = try await queue.retry(DeadSelection())
        }
        hasRetried = true
      }
      guard !wait.isOver else {
        let runs = try await sql(
          "select id, job, key, state, due - now(), attempt, batch_limit, is_held, worker from run")
        let sessions = try await sql(Self.sessions)
        return [
          "not idle: \(left[0]) runs, events and dead runs are left: \(runs)",
          "workers: \(try await sql("select * from worker"))",
          "sessions: \(sessions.joined(separator: "\n"))",
        ]
      }
      try await Task.sleep(for: .milliseconds(30))
      wait.step()
    }
  }

  /// The sessions of the database, each with the sessions that block it.
  private static let sessions =
    """
    select pid, application_name, state, wait_event, pg_blocking_pids(pid), now() - state_change,
      left(query, 200)
    from pg_stat_activity where datname = current_database()
    """

  /// Returns the violations, each with the name of its check.
  private func check() async throws -> [String] {
    let lines = (try? String(contentsOfFile: post, encoding: .utf8)) ?? ""
    try await admin.atomically(in: test.schema, .run(Self.load, lines))
    let mine = ":\(ProcessInfo.processInfo.processIdentifier)"
    var violations: [String] = []
    for check in EngineCheck.all {
      let rows: [String] = try await admin.atomically(
        in: test.schema,
        Call.rows(check.query, mine) { (row) throws(PostgresError) in try row.decode(String.self) })
      violations += rows.prefix(5).map { "\(check.name): \($0)" }
    }
    guard let first = violations.first else { return [] }
    return violations + (try await story(of: first))
  }

  /// Returns the histories of the first key that a violation names.
  private func story(of violation: String) async throws -> [String] {
    let (asked, life): ([String], [String]) = try await admin.atomically(
      in: test.schema, Self.lines(EngineJournal.callsOfKey, violation),
      Self.lines(EngineJournal.lifeOfKey, violation))
    return asked + life
  }

  private static func lines(_ query: Statement, _ text: String) -> Call<[String]> {
    .rows(query, text) { (row) throws(PostgresError) in try row.decode(String.self) }
  }

  private static let load = Statement(
    "test/load_posts",
    """
    insert into posted (word, at, process, job, key, run_id, newest, calls)
    select p[1], timestamptz 'epoch' + p[2]::bigint * interval '1 microsecond', p[3]::integer, p[4], p[5],
      p[6]::bigint, nullif(p[7], '-')::bigint, translate(p[8], '[]', '{}')::bigint[]
    from regexp_split_to_table($1, e'\\n') with ordinality l (line, n), string_to_array(line, ' ') p
    where line <> ''
    order by n
    """)
  /// Returns the number of occurrences of each kind of event.
  private func seen() async throws -> [String: Int] {
    let lines = try await sql(
      """
      select what, count(*) from (
        select 'calls' from asked
        union all select how from ended
        union all select 'cancelled while running' from ended
          where how = 'cancelled' and was_running
        union all select 'merged' from ended where how = 'done' and cardinality(ids) > 1
        union all select 'held' from life where (now).is_held and (was).is_held is not true
        union all select 'discarded' from discarded
        union all select how from killed
        union all select 'limits set' from audit where action = 'limits set'
        union all select 'edited' from audit
          where action = 'runs retry' and after ->> 'payload' = 'edited'
        union all select 'retried' from death x where x.op = 'DELETE'
          and exists (select from life l where l.xact = x.xact and (l.now).id = (x.dead).id)
        union all select 'manual' from claimed where worker like '%:\(ProcessInfo.processInfo.processIdentifier)'
        union all select 'limited' from claimed c join job_limit l on l.job = c.job
        union all select 'of all payloads' from given where cardinality(calls) > 1) s (what)
      group by what
      """)
    let held = script.holdsTransaction ? ["transaction held": 1] : [:]
    return lines.reduce(into: held) { seen, line in
      let parts = line.split(separator: ",")
      seen[String(parts[0]).replacing("\"", with: "")] = Int(parts[1])
    }
  }
}
