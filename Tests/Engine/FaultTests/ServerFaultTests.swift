import BatonPostgres
import Foundation
import JobRunner
import PrivateServer
import TestSupport
import Testing

/// A server that ends connections, restarts, or crashes.
///
/// Its workers are connected directly.
@Suite(.timeLimit(.minutes(5)))
struct ServerFaultTests {
  @Test(.sampled())
  func `server processes ended at random lose nothing and repeat nothing`() async throws {
    let random = Randomness()
    try await CountQueue.with { queue in
      // The fault must not hit the test's own connections.
      let configuration = ConnectionConfiguration(
        address: queue.configuration.address,
        applicationName: "worker " + queue.configuration.applicationName)
      var ended = 0
      try await queue.working(on: configuration) {
        try await withThrowingTaskGroup { group in
          let isOver = Flag()
          for _ in 0..<3 {
            group.addTask { try await queue.keepWriting(random, until: { isOver.isSet }) }
          }
          defer { isOver.set() }
          while ended < 40 {
            ended += try await queue.endOneBackend()
            try await Task.sleep(for: .milliseconds(random.number(in: 10...150)))
          }
          isOver.set()
          try await group.waitForAll()
        }
        try await queue.expectEverythingOnce()
      }
      print("ended \(ended) server processes, \(random)")
    }
  }

  @Test(.sampled()) func `a cancel request does not wait for a server that is frozen`()
    async throws
  {
    try await Self.withServer { server, queue in
      guard case .running(let running) = try server.status() else {
        throw TestFailure("the server does not run")
      }
      let connection = try await Connection.open(queue.configuration)
      let pid = await connection.backend.pid
      let sleep = Task {
        try await connection.run(.run(Statement("test/sleep", "select pg_sleep(60)")))
      }
      try await eventually("the statement") {
        try await queue.count("pg_stat_activity where pid = \(pid) and wait_event = 'PgSleep'") == 1
      }
      for process in [running.processID, pid] { #expect(kill(process, SIGSTOP) == 0) }
      // A cancellation repeats its request. Only the first request gets a thread and waits.
      try await expectTime(below: .seconds(2), "three cancel requests") {
        for _ in 1...3 { connection.cancel() }
      }
      for process in [pid, running.processID] { #expect(kill(process, SIGCONT) == 0) }
      // The request arrives when the server process continues.
      await #expect(throws: PostgresError.self) { try await sleep.value }
      await connection.close()
    }
  }

  @Test(.sampled())
  func `a restarted server is worked again without waiting for a heartbeat`() async throws {
    try await Self.withServer { server, queue in
      try await queue.working(on: queue.configuration) {
        for downtime in [Duration.zero, .seconds(3)] {
          try await queue.expectFirstRun("after \(downtime) without a server") {
            try await blocking { try server.down() }
            try await Task.sleep(for: downtime)
            _ = try await blocking { try server.up() }
          }
        }
        try await queue.expectEverythingOnce()
      }
    }
  }

  @Test(.sampled())
  func `a server that recovers from a crash is worked again in the same way`() async throws {
    try await Self.withServer { _, queue in
      try await queue.working(on: queue.configuration) {
        for _ in 0..<2 {
          try await queue.expectFirstRun("after a crash of the server") {
            let pid = try await queue.sql("select pid from worker limit 1").first ?? ""
            let process = try #require(Int32(pid))
            try #require(kill(process, SIGKILL) == 0)
          }
        }
        try await queue.expectEverythingOnce()
      }
    }
  }

  /// Creates a queue on a server of the test's own, which the test may stop.
  static func withServer(
    _ settings: [(String, String)] = [], _ body: (PrivateServer, CountQueue) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder(onDisk: true)
    let server = PrivateServer(
      directory: folder.path + "/server",
      settings: [("fsync", "off"), ("log_min_messages", "fatal"), ("shared_buffers", "16MB")]
        + settings)
    defer { try? server.destroy() }
    let running = try await blocking { try server.up() }
    let configuration = ConnectionConfiguration(address: running.connectionString)
    let connection = try await Connection.open(configuration)
    _ = try await Migrator(.standard, parts: TestSchema.parts).migrate(connection)
    await connection.close()
    let queue = CountQueue(schema: .standard, configuration: configuration)
    try await queue.make()
    try await body(server, queue)
  }
}

extension CountQueue {
  /// Ends one server process of the workers, and returns the number of ended processes, or 0 if
  /// there are none.
  func endOneBackend() async throws -> Int {
    try await sql(
      """
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'worker \(configuration.applicationName)' order by random() limit 1
      """
    ).count
  }

  /// Expects the first run within two seconds after the server accepts connections again.
  ///
  /// The requirement is one second.
  ///
  /// If the machine stopped during the measurement, the test measures again, at most twice. In the
  /// last measurement, the stops do not count.
  func expectFirstRun(
    _ what: String, _ fault: () async throws -> Void,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let watch = StallWatch()
    defer { watch.stop() }
    for number in 1...3 {
      let began = ContinuousClock.now
      let time = try await timeToFirstRun(after: fault)
      let delay = watch.delay(in: began...(.now))
      let isLeftOut = delay > .zero && number < 3
      print("the first run \(what): \(time)\(isLeftOut ? ", left out" : "")")
      guard isLeftOut else {
        #expect(time - delay < .seconds(2) * patience, "\(what)", sourceLocation: sourceLocation)
        return
      }
    }
  }

  /// Returns the time from the first connection that the server accepts after `fault` to the first
  /// processed run.
  ///
  /// Runs are waiting, but their job is paused. The first connection after the fault resumes the
  /// job. Both instants are instants of the server.
  func timeToFirstRun(after fault: () async throws -> Void) async throws -> Duration {
    try await sql("update job set paused_at = now()")
    try await write("k1", "k2", "k3")
    try await eventually("waiting runs") { try await count("run where state = 'ready'") == 3 }
    let effects = try await count("effect")
    // A connection from between a crash and its detection does not show that the server has
    // recovered.
    let witness = try await Connection.open(configuration)
    try await fault()
    try await eventually("the end of the old server") {
      do { try await witness.sql("select 1", in: schema) } catch { return true }
      return false
    }
    var accepted = ""
    try await eventually("the server") {
      guard let at = try? await sql("select clock_timestamp()").first else { return false }
      accepted = at.replacing("\"", with: "")
      return true
    }
    try await sql("update job set paused_at = null")
    try await eventually("the first run", within: .seconds(30)) {
      try await count("effect") > effects
    }
    let milliseconds = try await sql(
      """
      select (extract(epoch from min(at) - timestamptz '\(accepted)') * 1000)::integer
      from effect where id > \(effects)
      """)
    return .milliseconds(Int(milliseconds.first ?? "") ?? 1_000_000)
  }
}
