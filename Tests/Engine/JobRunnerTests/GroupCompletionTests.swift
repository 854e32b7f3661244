import BatonJobs
import BatonPostgres
import Foundation
import JobTesting
import Synchronization
import TestSupport
import Testing

@testable import JobRunner

/// Tests that effects with the same end are completed together.
///
/// A run that cannot be completed in a group is completed or settled alone.
@Suite(.timeLimit(.minutes(5))) struct GroupCompletionTests {
  private static let runs = 120

  /// Performs all runs, which end at the same moment.
  ///
  /// `change` is executed while all runs are in progress.
  private func together(
    while change: (JobTest) async throws -> Void = { _ in },
    _ body: (JobTest, Gate) async throws -> Void
  ) async throws {
    let gate = Gate()
    try await TestSchema.run([CrowdJob.registered(gate)]) { test in
      for statement in [
        "create table statement (ended bigint)",
        """
        create function count_ended() returns trigger language plpgsql as $$
        begin
          insert into statement select count(*) from old_rows having count(*) > 0;
          return null;
        end $$
        """,
        """
        create trigger count_ended after delete on run referencing old table as old_rows
        for each statement execute function count_ended()
        """,
        "select enqueue('crowd', n::text) from generate_series(1, \(Self.runs)) n",
      ] { try await test.sql(statement) }
      let worker = Worker(
        [CrowdJob.registered(gate)], on: test.configuration, schema: test.schema,
        options: Worker.Options(grace: .seconds(1)), logger: .quiet)
      async let working: Void = worker.run()
      do {
        try await eventually("all are performed") { gate.began.count == Self.runs }
        try await change(test)
        gate.open()
        try await body(test, gate)
      } catch {
        worker.stop()
        try await working
        throw error
      }
      worker.stop()
      try await working
    }
  }

  private func expectEnded(_ test: JobTest, but left: Int = 0) async throws {
    try await eventually("the others are done") {
      try await test.sql("select count(*) from run") == ["\(left)"]
    }
  }

  @Test func `effects that end together need few transactions, and none is repeated`() async throws
  {
    try await together { test, gate in
      try await expectEnded(test)
      let statements = try await test.sql("select count(*), sum(ended) from statement")[0]
      let counts = statements.split(separator: ",").compactMap { Int($0) }
      #expect(counts[1] == Self.runs)
      #expect(counts[0] <= Self.runs / 4, "\(counts[0]) statements for \(Self.runs) runs")
      #expect(gate.began.count == Self.runs)
      #expect(try await test.sql("select count(*) from dead_run") == ["0"])
    }
  }

  @Test func `a run that another worker has taken stays, and its neighbors are done`() async throws
  {
    try await together { test in
      try await test.sql("update run set token = gen_random_uuid() where key in ('7', '70')")
    } _: { test, gate in
      try await expectEnded(test, but: 2)
      #expect(try await test.sql("select key from run order by key") == ["7", "70"])
      #expect(gate.began.count == Self.runs)
      try await test.sql("delete from run")
    }
  }

  @Test func `a run whose row was moved is done too`() async throws {
    try await together { test in
      // Each update writes a new version of the row at another place.
      try await test.sql("update run set crashes = crashes where key::integer % 3 = 0")
    } _: { test, gate in
      try await expectEnded(test)
      #expect(gate.began.count == Self.runs)
    }
  }

  @Test func `a run at the place that a lost run had is not ended in its stead`() async throws {
    try await TestSchema.run([CrowdJob.registered(Gate())]) { test in
      let tokens = [UUID(), UUID()]
      for (key, token) in zip(["1", "2"], tokens) {
        try await test.sql(
          """
          insert into run (job, key, state, due, first_event_at, last_event_at, token, worker)
          select 'crowd', '\(key)', 'running', now(), now(), now(), '\(token)', gen_random_uuid()
          """)
      }
      let connection = try await test.connect()
      let session = Session(connection, in: test.schema)
      let rows = Call.rows(Statement("test/runs", "select ctid, id from run order by key")) {
        (row) throws(PostgresError) in try row.decode(RowPlace.self, Int64.self)
      }
      let runs: [(RowPlace, Int64)] = try await session.atomically(rows)
      let (places, ids) = (runs.map(\.0), runs.map(\.1))
      func end(
        _ places: [RowPlace], _ ids: [Int64], _ tokens: [UUID]
      ) async throws -> [GroupCompletion.Fence] {
        try await session.atomically(QueueCalls.endEffects(at: places, ids, tokens))
      }
      // All places, ids and tokens are in the group, but in other combinations.
      #expect(try await end(places, ids, tokens.reversed()).isEmpty)
      #expect(try await end(places, ids.reversed(), tokens).isEmpty)
      #expect(try await end(places.reversed(), ids, tokens).isEmpty)
      #expect(try await test.sql("select count(*) from run") == ["2"])
      let both = try await end(places, ids, tokens)
      #expect(Set(both) == Set(zip(ids, tokens).map(GroupCompletion.Fence.init)))
      await connection.close()
    }
  }

  @Test(.sampled(), arguments: [nil, "9"])
  func `runs with history are completed together too, each with its own output`(bad: String?)
    async throws
  {
    let gate = Gate(bad: bad)
    try await TestSchema.run([KeptCrowdJob.registered(gate)]) { test in
      try await test.sql(
        "select enqueue('kept-crowd', n::text) from generate_series(1, \(Self.runs)) n")
      let transactions = """
        select count(distinct created_at), count(*), count(output), min(duration_ms) >= 0
        from run_history where outcome = 'done'
          and (output is null) = (key = '\(bad ?? "")') and (output is null or output ->> 'key' = key)
        """
      let worker = test.worker([KeptCrowdJob.registered(gate)])
      async let working: Void = worker.run()
      do {
        try await eventually("all are performed") { gate.began.count == Self.runs }
        gate.open()
        try await expectEnded(test)
      } catch {
        worker.stopAtOnce()
        try await working
        throw error
      }
      worker.stop()
      try await working
      #expect(gate.began.count == Self.runs, "none is repeated")
      let counts = try await test.sql(transactions)[0].split(separator: ",").map(String.init)
      #expect(counts.dropFirst() == ["\(Self.runs)", "\(Self.runs - (bad == nil ? 0 : 1))", "t"])
      // If the database cannot store an output, the runs of its group are completed one by one.
      if bad == nil { #expect(Int(counts[0]) ?? .max <= Self.runs / 4, "\(counts)") }
    }
  }

  @Test func `a run that cannot be completed fails alone`() async throws {
    try await together { test in
      for statement in [
        """
        create function refuse_nine() returns trigger language plpgsql as $$
        begin
          if old.key = '9' then raise 'nine stays'; end if;
          return old;
        end $$
        """,
        "create trigger refuse_nine before delete on run for each row execute function refuse_nine()",
      ] { try await test.sql(statement) }
    } _: { test, _ in
      try await eventually("the others are done") {
        try await test.sql("select key from run where key <> '9'").isEmpty
      }
      try await test.sql("drop trigger refuse_nine on run")
      try await eventually("it is done or dead") {
        try await test.sql("select count(*) from run") == ["0"]
      }
      #expect(try await test.sql("select count(*) from dead_run where key <> '9'") == ["0"])
    }
  }
}

/// An effect that ends when its gate opens.
private struct CrowdJob: EffectJob {
  static let definition = Definition<Self>(
    "crowd", concurrency: 200,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)))

  static func perform(_ run: Run<Self>, in gate: Gate) async throws {
    gate.began.withLock { $0.append(run.id) }
    await gate.wait()
  }

  static func registered(_ gate: Gate) -> RegisteredJob {
    RegisteredJob(CrowdJob.self) { _ in gate }
  }
}

/// The same effect with a history.
///
/// The output of the gate's bad key cannot be stored.
private struct KeptCrowdJob: EffectJob {
  static let definition = Definition<Self>(
    "kept-crowd", concurrency: 200,
    retry: .attempts(3, exponentialFrom: .milliseconds(1), to: .milliseconds(2)),
    keepsHistory: true)

  struct Output: Encodable {
    let key: String
  }

  static func perform(_ run: Run<Self>, in gate: Gate) async throws -> Output {
    gate.began.withLock { $0.append(run.id) }
    await gate.wait()
    return Output(key: run.key == gate.bad ? "\0" : run.key)
  }

  static func registered(_ gate: Gate) -> RegisteredJob {
    RegisteredJob(KeptCrowdJob.self) { _ in gate }
  }
}

/// Records which effects began, and blocks all of them.
private final class Gate: Sendable {
  let began = Mutex<[Int64]>([])
  /// The key whose output cannot be stored.
  let bad: String?
  private let waiting = Mutex((isOpen: false, tasks: [CheckedContinuation<Void, Never>]()))

  init(bad: String? = nil) { self.bad = bad }

  func wait() async {
    await withCheckedContinuation { continuation in
      let isOpen = waiting.withLock { state in
        if !state.isOpen { state.tasks.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    let tasks = waiting.withLock { state in
      state.isOpen = true
      return state.tasks
    }
    for task in tasks { task.resume() }
  }
}

extension Mutex where Value == [Int64] {
  fileprivate var count: Int { withLock { $0.count } }
}
