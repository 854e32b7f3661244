import BatonPostgres
import Foundation
import JobTesting
import TestSupport
import Testing

@testable import JobRunner

/// Tests the detection of jumps of the server's clock.
@Suite struct ServerClockTests {
  private func time(_ seconds: Double) -> Timestamp {
    Timestamp(microseconds: Int64((Date().timeIntervalSince1970 + seconds) * 1_000_000))
  }

  @Test func `only a forward jump of some seconds is a jump`() {
    for (seconds, isJump) in [(0.0, false), (2, false), (-3_600, false), (4, true), (86_400, true)]
    {
      let clock = ServerClock()
      clock.learn(time(0))
      #expect(!clock.hasJustJumped)
      clock.learn(time(seconds))
      #expect(clock.hasJustJumped == isJump, "\(seconds) s")
      // The time after the jump is the new time.
      clock.learn(time(seconds))
      #expect(clock.hasJustJumped == isJump)
    }
  }

  @Test func `the first time that a worker reads is not a jump`() {
    let clock = ServerClock()
    clock.learn(time(86_400))
    #expect(!clock.hasJustJumped)
    #expect(abs(clock.now.microseconds - time(86_400).microseconds) < 1_000_000)
  }

  @Test func `the estimate advances with the monotonic clock`() {
    let clock = ServerClock()
    clock.learn(time(0), at: ContinuousClock.now - .seconds(60))
    #expect(abs(clock.now.microseconds - time(60).microseconds) < 1_000_000)
  }

  @Test func `timers that a caller chose are not rewritten after the clock was set back`()
    async throws
  {
    try await NoticeBoard.with { test in
      try await test.sql("select enqueue('notice', 'timer', run_at => now() + interval '1 day')")
      let connection = try await test.connect()
      let queue = Queue(Session(connection, in: test.schema))
      _ = try await queue.fold()
      let before = try await test.sql("select xmin, due from run")
      try await test.sql("update server_clock set seen_at = now() + interval '1 hour'")
      #expect(try await queue.followClock(of: []).back != nil)
      #expect(try await test.sql("select xmin, due from run") == before)
      await connection.close()
    }
  }
}
