import BatonPostgres
import Foundation
import TestSupport
import Testing

@testable import JobRunner

/// The time after which other workers take over the runs of a worker that is killed, frozen, stuck,
/// or loses the connection for its heartbeats.
@Suite(.timeLimit(.minutes(10)))
struct TakeoverTests {
  @Test(.sampled())
  func `a killed worker's transactional run is free in a second, its effect later`()
    async throws
  {
    try await Office.with { office in
      let first = try await office.worker()
      try await office.begin()
      let second = try await office.worker()
      // A stopped process sends no more heartbeats.
      first.signal(SIGSTOP)
      let lease = try await WorkerLease(of: first, in: office.schema)
      let killed = ContinuousClock.now
      try await expectTime(below: .seconds(1) * patience, "the takeover of a transactional run") {
        first.signal(SIGKILL)
        try await eventually("the transactional run") { try office.starts(of: "stone") == 2 }
      }
      let free = killed.duration(to: .now)
      // Only the second worker is alive, although the row of the first worker remains until its
      // lease ends. On a busy machine, the second worker may be replacing a connection.
      try await eventually("one living worker") { try await office.workersAlive() == 1 }
      let workers = try await office.sql("select count(*) from worker")
      let starts = try office.starts(of: "letter")
      // On a busy machine, the lease may have ended.
      let hasEnded = try await lease.hasEnded()
      #expect(workers == ["2"] && starts == 1 || hasEnded, "\(workers) \(starts)")
      try await eventually("the effect", within: .seconds(30)) {
        try office.starts(of: "letter") == 2
      }
      let performed = killed.duration(to: .now)
      #expect(try await lease.hasEnded())
      #expect(performed < .seconds(20) * patience)
      print("after a kill: transactional run after \(free), effect after \(performed)")
      // The worker died with two runs. Neither run was alone, so no attempt counts. On a busy
      // machine, the second worker may briefly count as dead as well.
      #expect(try office.lines.map(\.attempt) == [1, 1, 1, 1])
      #expect(try await office.sql("select crashes from run") == ["1", "1"])
      #expect(try await office.sql("select distinct was_trial from worker_death") == ["f"])
      #expect(try await office.sql("select count(*) from failed_attempt") == ["0"])
      try await office.finish(second)
    }
  }

  @Test(.sampled()) func `a worker that loses only its heartbeat connection keeps its runs`()
    async throws
  {
    try await Office.with { office in
      let first = try await office.worker()
      try await office.begin()
      let second = try await office.worker()
      var pids: Set<String> = []
      for _ in 0..<5 {
        let pid = try await office.heartbeatPid(of: first)
        pids.insert(pid)
        #expect(try await office.sql("select pg_terminate_backend(\(pid), 10000)") == ["t"])
        try await Task.sleep(for: .milliseconds(600))
      }
      #expect(pids.count == 5)
      #expect(try office.lines.count == 2, "no other worker took over a run")
      #expect(try await office.sql("select crashes from run") == ["0", "0"])
      try await office.finish(first, second)
    }
  }

  @Test(.sampled()) func `a worker that loses all connections at once keeps its runs`()
    async throws
  {
    try await Office.with { office in
      let first = try await office.worker()
      try await office.begin(hold: false)
      let second = try await office.worker()
      for _ in 0..<3 {
        try await office.sql(
          """
          select pg_terminate_backend(pid) from pg_stat_activity
          where application_name = '\(office.name)'
          """)
        try await Task.sleep(for: .seconds(1))
      }
      try await eventually("both are registered") { try await office.workersAlive() == 2 }
      #expect(try office.lines.count == 1)
      #expect(try await office.sql("select crashes from run") == ["0"])
      try await office.finish(first, second)
    }
  }

  @Test(.sampled())
  func `a frozen worker's effect is taken over, and cancelled when it goes on`()
    async throws
  {
    try await Office.with { office in
      let first = try await office.worker()
      try await office.begin(hold: false)
      let second = try await office.worker()
      first.signal(SIGSTOP)
      let lease = try await WorkerLease(of: first, in: office.schema)
      let stopped = ContinuousClock.now
      try await eventually("the effect", within: .seconds(30)) {
        try office.starts(of: "letter") == 2
      }
      let time = stopped.duration(to: .now)
      #expect(try await lease.hasEnded())
      #expect(time < .seconds(20) * patience)
      first.signal(SIGCONT)
      try await eventually("both are registered") { try await office.workersAlive() == 2 }
      // The first worker's task is cancelled, although its new heartbeat extends the lease.
      try await eventually("the old task is cancelled") { try office.cancelled == 1 }
      #expect(try office.starts(of: "letter") == 2)
      try await office.finish(first, second)
    }
  }

  @Test(.sampled())
  func `a worker whose dispatcher is stuck sends no heartbeats, and loses its effect`()
    async throws
  {
    try await Office.with { office in
      let first = try await office.worker()
      try await office.begin(hold: false)
      _ = FileManager.default.createFile(atPath: office.folder.path + "/stuck", contents: nil)
      try await office.sql("select enqueue('post', 'other', null, now() + interval '1 hour')")
      let stuck = ContinuousClock.now
      // The first worker cancels the effect when its lease ends, before another worker may begin
      // the effect.
      try await eventually("the task is cancelled", within: .seconds(40)) {
        try office.cancelled == 1
      }
      let time = stuck.duration(to: .now)
      #expect(time > .seconds(15))
      try FileManager.default.removeItem(atPath: office.folder.path + "/stuck")
      try await eventually("the effect begins again") { try office.starts(of: "letter") == 2 }
      #expect(try await office.workersAlive() == 1)
      try await office.sql("delete from run where state = 'ready'")
      try await office.finish(first)
    }
  }
}

/// A schema with the jobs of `CrashingWorker`, and the records of its processes.
private struct Office: Sendable {
  struct Line {
    let key: String
    let attempt: Int
  }

  let schema: TestSchema
  let folder: TemporaryFolder

  /// The name of the workers' connections.
  var name: String { "office-\(schema.name)" }

  static func with(_ body: (Office) async throws -> Void) async throws {
    try await TestSchema.with { schema in
      try await body(Office(schema: schema, folder: try TemporaryFolder()))
    }
  }

  @discardableResult
  func sql(_ text: String) async throws -> [String] { try await schema.sql(text) }

  /// Starts a worker, and waits until it is registered.
  func worker() async throws -> TestProcess {
    let process = try TestProcess(
      try BatonProgram.path(of: "CrashingWorker"), [],
      environment: BatonProgram.inherited.merging([
        "DATABASE_URL": schema.configuration.address + "&application_name=\(name)",
        "BATON_SCHEMA": schema.schema.name, "POST_OFFICE": folder.path,
      ]) { $1 }, directory: "/")
    try await eventually("the worker") {
      try await sql("select id from worker where name like '%:\(process.id)'").count == 1
    }
    return process
  }

  /// Starts an effect and, if `hold` is true, a transactional run in the only worker.
  func begin(hold: Bool = true) async throws {
    try await sql("select enqueue('post', 'letter')")
    if hold { try await sql("select enqueue('hold', 'stone')") }
    do {
      try await eventually("the runs have begun") { try lines.count == (hold ? 2 : 1) }
    } catch {
      print("not begun: \(try text)")
      for table in ["run", "worker", "unfolded_event", "pg_stat_activity"] {
        print(try await sql("select to_jsonb(t) from \(table) t").joined(separator: "\n"))
      }
      throw error
    }
  }

  /// Lets all runs end, and stops the workers.
  func finish(_ workers: TestProcess...) async throws {
    _ = FileManager.default.createFile(atPath: folder.path + "/open", contents: nil)
    try await eventually("all runs are done") { try await sql("select id from run") == [] }
    for worker in workers {
      worker.signal(SIGKILL)
      _ = try await worker.wait(within: .seconds(10))
    }
    #expect(try await sql("select count(*) from dead_run") == ["0"])
  }

  /// Waits until a worker is registered on the connection of its heartbeats, and returns the server
  /// process.
  ///
  /// A worker first registers on the dispatcher's connection. On a busy machine, the connection for
  /// heartbeats may take seconds to open.
  func heartbeatPid(of process: TestProcess) async throws -> String {
    var pid: String?
    try await eventually("the worker is registered on the connection of its heartbeats") {
      pid = try await sql(
        """
        select w.pid from worker w join pg_stat_activity a using (pid)
        where w.name like '%:\(process.id)' and w.pid <> w.dispatcher_pid
        """
      ).first
      return pid != nil
    }
    return try #require(pid)
  }

  func workersAlive() async throws -> Int {
    let connection = try await schema.connect()
    let workers = try await Queue(Session(connection, in: schema.schema)).workers()
    await connection.close()
    return workers.count { !$0.isLost }
  }

  /// The attempts that have begun, in order.
  var lines: [Line] {
    get throws {
      try text.split(separator: "\n").compactMap { line in
        let words = line.split(separator: " ")
        guard words.count == 3, let attempt = Int(words[2]) else { return nil }
        return Line(key: String(words[1]), attempt: attempt)
      }
    }
  }

  func starts(of key: String) throws -> Int { try lines.count { $0.key == key } }

  /// The number of cancelled effects.
  var cancelled: Int {
    get throws { try text.split(separator: "\n").count { $0.hasPrefix("cancelled") } }
  }

  private var text: String {
    get throws {
      let path = folder.path + "/posted"
      guard FileManager.default.fileExists(atPath: path) else { return "" }
      return try String(contentsOfFile: path, encoding: .utf8)
    }
  }
}
