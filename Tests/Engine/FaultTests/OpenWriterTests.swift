import BatonPostgres
import TestSupport
import Testing

/// Slow writers at the same time as fast workers.
@Suite(.timeLimit(.minutes(5)), .bothWaysAtFullSize)
struct OpenWriterTests {
  @Test(.sampled())
  func `a writer open for three seconds delays no other, and its event is processed`()
    async throws
  {
    try await CountQueue.with { queue in
      try await queue.working(1, on: queue.configuration) {
        let writer = try await Connection.open(queue.configuration)
        try await writer.transaction(in: queue.schema) { transaction in
          try await transaction.run(CountQueue.writing(["k1"]))
          let end = ContinuousClock.now + .seconds(3)
          var waits: [Duration] = []
          // On a busy machine, three keys may take longer.
          while ContinuousClock.now < end || waits.count < 3 {
            let key = "k\(2 + waits.count)"
            let began = ContinuousClock.now
            try await queue.write(key)
            try await eventually("the work of \(key)", within: .seconds(10)) {
              try await queue.count("effect where key = '\(key)'") == 1
            }
            waits.append(ContinuousClock.now - began)
          }
          let longest = waits.max() ?? .zero
          print("\(waits.count) keys beside an open writer, the slowest after \(longest)")
          // No key waited for the writer, whose transaction was open longer than all keys took.
          #expect(waits.count >= 3)
          #expect(try await queue.count("effect where key = 'k1'") == 0)
        }
        await writer.close()
        try await queue.expectEverythingOnce()
        #expect(try await queue.count("effect where key = 'k1'") == 1)
      }
    }
  }
}
