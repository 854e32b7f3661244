import BatonJobs
import BatonPostgres
import Foundation
import JobRunner
import Synchronization
import TestSupport
import Testing

/// Connections between workers and their server that are reset, become silent or lose a response.
///
/// Loopback cannot show a network that loses some packets, or a route that fails after a proxy. In
/// these cases, the same TCP timers work as in `packets that vanish are noticed`.
@Suite(.timeLimit(.minutes(5)))
struct NetworkFaultTests {
  @Test(.sampled())
  func `connections reset at random bytes lose nothing and repeat nothing`() async throws {
    let random = Randomness()
    try await withProxy { proxy, queue in
      try await queue.working(on: queue.through(proxy)) {
        try await withThrowingTaskGroup { group in
          let isOver = Flag()
          for _ in 0..<2 {
            group.addTask { try await queue.keepWriting(random, until: { isOver.isSet }) }
          }
          defer { isOver.set() }
          proxy.cutEach { random.number(in: 1...20_000) }
          proxy.cutAll()
          try await eventually("60 cut connections", within: .seconds(60)) { proxy.cuts >= 60 }
          proxy.cutEach(after: nil)
          isOver.set()
          try await group.waitForAll()
        }
        try await queue.expectEverythingOnce()
      }
      print("cut \(proxy.cuts) connections, \(random)")
    }
  }

  @Test(
    .sampled(),
    arguments: [
      "queue/claim", "queue/end_claimed", "queue/fold", "queue/lock_cursor",
    ])
  func `an answer that is lost is neither done twice nor forgotten`(statement: String) async throws
  {
    try await withProxy { proxy, queue in
      try await queue.working(1, on: queue.through(proxy)) {
        for round in 1...5 {
          proxy.arm(.loseAnswer(to: statement))
          try await queue.write("k\(round)", "k\(round + 100)")
          try await eventually("the lost answer") { proxy.fired == round }
          try await queue.expectEverythingOnce(within: .seconds(15))
        }
      }
    }
  }

  @Test(.sampled())
  func `a COMMIT whose answer is lost is done, and its runs are not worked again`()
    async throws
  {
    try await withProxy { proxy, made in
      let isArmed = Mutex(false)
      var queue = made
      // The job itself arms the fault, so the next commit is almost always the job's commit.
      queue.job = RegisteredJob(CountJob.self) { transaction in
        let isFirst = isArmed.withLock { isArmed in
          defer { isArmed = true }
          return !isArmed
        }
        if isFirst {
          proxy.arm(.loseAnswer(to: "commit"))
        }
        return Ledger(transaction: transaction)
      }
      try await queue.working(1, on: queue.through(proxy)) { [queue] in
        try await queue.write("k1")
        try await queue.expectEverythingOnce(within: .seconds(15))
        #expect(proxy.fired == 1)
        #expect(try await queue.count("effect") == 1)
      }
    }
  }

  @Test(.sampled())
  func `a claim whose answer is lost is released by the worker that lives on`()
    async throws
  {
    try await withProxy { proxy, queue in
      try await queue.working(1, executors: 1, on: queue.through(proxy)) {
        for round in 1...3 {
          // The job is paused, so that the fault hits a claim that takes runs.
          try await queue.sql("update job set paused_at = now()")
          try await queue.write("k1", "k2")
          try await eventually("waiting runs") {
            try await queue.count("run where due <= now()") == 2
          }
          proxy.arm(.loseAnswer(to: "queue/claim"))
          try await queue.sql("update job set paused_at = null")
          try await eventually("the lost answer") { proxy.fired == round }
          try await queue.expectEverythingOnce(within: .seconds(15))
        }
      }
    }
  }

  @Test(.sampled())
  func `a worker that falls silent in its fold does not keep others from folding`()
    async throws
  {
    try await withProxy { proxy, queue in
      try await queue.working(1, on: queue.through(proxy)) {
        // A silent connection would block its worker forever, and also a failing test.
        defer { proxy.cutAll() }
        // The first fold also prepares its statements. The proxy would forward the first part of
        // these long messages, and PostgreSQL has no timeout for an incomplete message.
        try await queue.write("k0")
        try await queue.expectEverythingOnce()
        let earlier = try await queue.count("effect")
        proxy.arm(.silence(at: "queue/fold"))
        try await queue.write("k1")
        try await eventually("the silence") { proxy.fired == 1 }
        let began = ContinuousClock.now
        try await queue.working(1, on: queue.configuration) {
          try await eventually("the other's work", within: .seconds(20)) {
            try await queue.count("effect") > earlier
          }
          print("folded by another \(ContinuousClock.now - began) after a fold fell silent")
          proxy.cutAll()
          try await queue.expectEverythingOnce()
        }
      }
    }
  }

  @Test(.sampled())
  func `a worker that falls silent in its claim does not keep others from claiming`()
    async throws
  {
    try await withProxy { proxy, queue in
      let isSet = try await queue.look {
        try await $0.setLimits(of: queue.job.definition.name, .set(3), perGroup: .keep)
      }
      #expect(isSet)
      try await queue.working(1, on: queue.through(proxy)) {
        defer { proxy.cutAll() }
        // The first claim also prepares its statements.
        try await queue.write("k0")
        try await queue.expectEverythingOnce()
        let earlier = try await queue.count("effect")
        // At this statement, the claim has locked the limits of the job.
        proxy.arm(.silence(at: "queue/claim_by_priority"))
        try await queue.write("k1")
        try await eventually("the silence") { proxy.fired == 1 }
        let began = ContinuousClock.now
        try await queue.working(1, on: queue.configuration) {
          try await eventually("the other's work", within: .seconds(20)) {
            try await queue.count("effect") > earlier
          }
          print("claimed by another \(ContinuousClock.now - began) after a claim fell silent")
          proxy.cutAll()
          try await queue.expectEverythingOnce()
        }
      }
    }
  }

  @Test(.sampled()) func `a worker that falls silent in its work is taken over, and done once`()
    async throws
  {
    try await withProxy { proxy, queue in
      try await queue.working(1, on: queue.through(proxy)) {
        defer { proxy.cutAll() }
        proxy.arm(.silence(at: "queue/end_claimed"))
        try await queue.write("k1")
        try await eventually("the silence") { proxy.fired == 1 }
        // New connections are usable, and the old connection stays silent. The server itself ends
        // the transaction of the silent connection.
        try await queue.working(1, on: queue.configuration) {
          try await eventually("no worker in a transaction", within: .seconds(20)) {
            let open = """
              pg_stat_activity where application_name = '\(queue.configuration.applicationName)'
              and state = 'idle in transaction'
              """
            return try await queue.count(open) == 0
          }
          #expect(try await queue.count("effect") == 0)
          proxy.cutAll()
          try await queue.expectEverythingOnce()
          #expect(try await queue.count("effect") == 1)
        }
      }
    }
  }

  @Test(.sampled(), arguments: ["queue/fold", "queue/claim", "queue/end_claimed"])
  func `a worker closes a connection that falls silent, and continues without another worker`(
    statement: String
  ) async throws {
    try await withProxy { proxy, queue in
      try await queue.working(1, executors: 1, on: queue.through(proxy)) {
        // A failing test must not wait for the silent connection.
        defer { proxy.cutAll() }
        // The first run also prepares the statements.
        try await queue.write("k0")
        try await queue.expectEverythingOnce()
        proxy.arm(.silence(at: statement))
        try await queue.write("k1")
        try await eventually("the silence") { proxy.fired == 1 }
        try await queue.expectEverythingOnce(within: .seconds(60))
        #expect(try await queue.count("effect") == 2)
      }
    }
  }

  @Test(.sampled()) func `a heartbeat that gets no response is sent on another connection`()
    async throws
  {
    try await withProxy { proxy, queue in
      try await queue.working(1, executors: 1, on: queue.through(proxy)) {
        defer { proxy.cutAll() }
        try await queue.write("k0")
        try await queue.expectEverythingOnce()
        let id = try await queue.sql("select id from worker")
        proxy.arm(.silence(at: "workers/heartbeat"))
        try await eventually("a late heartbeat", within: .seconds(30)) {
          try await queue.count("worker where heartbeat_at < now() - interval '6 s'") == 1
        }
        try await eventually("the next heartbeat", within: .seconds(30)) {
          try await queue.count("worker where heartbeat_at > now() - interval '3 s'") == 1
        }
        #expect(try await queue.sql("select id from worker") == id)
      }
    }
  }

  @Test(.sampled()) func `a worker waits for a server that is gone before its first session`()
    async throws
  {
    try await withProxy { proxy, queue in
      proxy.cutEach { 1 }
      var options = Worker.Options(concurrency: 1)
      options.waitsForServer = true
      let worker = Worker(
        [queue.job], on: queue.through(proxy), schema: queue.schema, options: options,
        logger: .quiet)
      async let run: Void = worker.run()
      try await eventually("a second try") { proxy.tries.count > 1 }
      proxy.cutEach(after: nil)
      try await queue.write("k1")
      try await queue.expectEverythingOnce()
      worker.stop()
      try await run
    }
  }

  @Test(.sampled()) func `a connection with a statement timeout ends if its server falls silent`()
    async throws
  {
    try await withProxy { proxy, queue in
      var configuration = queue.through(proxy)
      configuration.statementTimeout = .seconds(1)
      let session = SharedSession(configuration, in: queue.schema)
      let ask = Call<Void>.run(Statement("test/silent", "select 1"))
      try await session.atomically(ask)
      proxy.arm(.silence(at: "test/silent"))
      let error = await #expect(throws: PostgresError.self) { try await session.atomically(ask) }
      #expect(error?.sqlState == .connectionFailure)
      #expect(error?.message.hasPrefix("no response within") == true, "\(error as Any)")
      #expect(proxy.fired == 1)
      try await session.atomically(ask)
      await session.close()
    }
  }

  /// The server may send the result of the first statement after the last statement.
  @Test(.sampled()) func `a statement timeout counts once for each statement of a round trip`()
    async throws
  {
    try await withProxy { proxy, queue in
      var configuration = queue.through(proxy)
      configuration.statementTimeout = .seconds(1)
      let session = Session(try await Connection.open(configuration), in: queue.schema)
      let sleep = Call<Void>.run(Statement("test/sleep", "select pg_sleep(0.9)"))
      try await session.atomically(sleep, sleep, sleep, sleep, sleep, sleep, sleep, sleep)
      await session.connection.close()
    }
  }

  @Test(
    .enabled(if: TestSize.isFull, "vanished packets: make test-all"),
    .enabled(if: FaultProxy.canLosePackets, "the system allows no filter on a socket"))
  func `packets that vanish are noticed within the time of keepalives`() async throws {
    try await withProxy { proxy, queue in
      try await queue.working(1, on: queue.through(proxy)) {
        defer { proxy.cutAll() }
        try await queue.write("k1")
        try await queue.expectEverythingOnce()
        try #require(proxy.losePackets())
        let began = ContinuousClock.now
        try await queue.write("k2")
        try await queue.expectEverythingOnce(within: .seconds(45))
        let deaf = ContinuousClock.now - began
        print("worked again \(deaf) after all packets vanished")
        // An earlier detection would have another reason than the lost packets.
        #expect(deaf > .seconds(5))
        #expect(deaf < .seconds(30) * patience)
      }
    }
  }

  /// Calls the body with a queue and a proxy in front of its server.
  private func withProxy(
    _ body: (FaultProxy, CountQueue) async throws -> Void
  ) async throws {
    try await LoopbackLogin.make()
    let proxy = try FaultProxy(before: TestServer.loopbackPort)
    defer { proxy.close() }
    try await CountQueue.with { queue in
      do {
        try await body(proxy, queue)
      } catch {
        throw TestFailure("\(error); \(try await queue.sql("select * from run"))")
      }
    }
  }
}

extension CountQueue {
  /// Returns the configuration with which the workers of a test reach the server through the proxy.
  fileprivate func through(_ proxy: FaultProxy) -> ConnectionConfiguration {
    configuration.through(proxy.address)
  }
}
