import BatonPostgres
import TestSupport
import Testing

/// Writers that wake workers, and keys with a leading edge, while servers and workers behave
/// unusually.
@Suite(.timeLimit(.minutes(5)))
struct WakeFaultTests {
  @Test(.sampled())
  func `where transactions may be prepared no write notifies, and all of them are worked`()
    async throws
  {
    try await ServerFaultTests.withServer([("max_prepared_transactions", "5")]) { _, queue in
      try await queue.working(1, on: queue.configuration) {
        let writer = try await Connection.open(queue.configuration)
        for n in 1...5 {
          // A worker listens, and is asleep or awake. PREPARE TRANSACTION fails in a session that
          // has executed NOTIFY.
          try await writer.script(
            Statement(
              "test/prepare",
              """
              begin;
              set local search_path to \(queue.schema.name);
              update source set version = version + 1 where key = 'k\(n)';
              select append_events('source.changed', array['k\(n)']);
              prepare transaction 'p\(n)'
              """))
          try await queue.write("k\(n + 100)")
          try await eventually("the work beside it") {
            try await queue.count("effect where key = 'k\(n + 100)'") == 1
          }
          try await writer.script(Statement("test/commit", "commit prepared 'p\(n)'"))
          try await eventually("the work") {
            try await queue.count("effect where key = 'k\(n)'") == 1
          }
        }
        #expect(try await queue.sql("select has_listener from event_segment") == ["t"])
        #expect(try await queue.count("pg_locks where locktype = 'advisory'") == 0)
        await writer.close()
      }
      try await queue.expectEverythingOnce()
    }
  }

  @Test(.sampled())
  func `two workers run a key that never rests once in its time, and miss nothing of it`()
    async throws
  {
    let random = Randomness()
    try await CountQueue.with { queue in
      try await queue.sql("update job set quiet = '0', at_most = '0', every = '300 ms'")
      let began = ContinuousClock.now
      try await queue.working(on: queue.configuration) {
        let writer = try await Connection.open(queue.configuration)
        // If the machine stops for seconds, the workers must still run the key three times.
        var runs = 0
        while .now - began < .seconds(2) || runs < 3 {
          try await queue.write(["k1"], on: writer)
          if .now - began >= .seconds(2) { runs = try await queue.count("effect") }
          try await Task.sleep(for: .milliseconds(random.number(in: 1...10)))
        }
        await writer.close()
        try await queue.expectEverythingOnce()
      }
      let seconds = (ContinuousClock.now - began) / .seconds(1)
      let runs = try await queue.count("effect")
      print("\(runs) runs of one key in \(seconds) s")
      #expect(runs >= 3)
      #expect(Double(runs) <= seconds / 0.3 + 2)
    }
  }

  @Test(.sampled())
  func `workers that are cut off again and again miss no key with a leading edge`()
    async throws
  {
    let random = Randomness()
    try await CountQueue.with { queue in
      try await queue.sql("update job set quiet = '0', at_most = '0', every = '100 ms'")
      let configuration = ConnectionConfiguration(
        address: queue.configuration.address,
        applicationName: "worker " + queue.configuration.applicationName)
      try await queue.working(on: configuration) {
        try await withThrowingTaskGroup { group in
          let isOver = Flag()
          for _ in 0..<2 {
            group.addTask { try await queue.keepWriting(random, until: { isOver.isSet }) }
          }
          defer { isOver.set() }
          for _ in 0..<20 {
            _ = try await queue.endOneBackend()
            try await Task.sleep(for: .milliseconds(random.number(in: 10...150)))
          }
          isOver.set()
          try await group.waitForAll()
        }
        try await queue.expectEverythingOnce()
      }
    }
  }
}
