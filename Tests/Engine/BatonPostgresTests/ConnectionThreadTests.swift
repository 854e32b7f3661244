import BatonPostgres
import Foundation
import Synchronization
import TestSupport
import Testing

/// A blocking libpq call must hold its connection's own thread, and never a thread of Swift's pool.
///
/// The pool has one thread per core, so two slow statements would stop every timer of the process.
@Suite(.timeLimit(.minutes(5)))
struct ConnectionThreadTests {
  private let sleep = Call.row(
    Statement(
      "test/sleep",
      """
      with begun as materialized (select clock_timestamp() as at),
        slept as materialized (select begun.at, pg_sleep(12) from begun)
      select slept.at, clock_timestamp() from slept
      """)
  ) { (row) throws(PostgresError) in try row.decode(Timestamp.self, Timestamp.self) }

  @Test(.sampled())
  func `more slow statements than cores run at once while a timer keeps ticking`()
    async throws
  {
    let count = ProcessInfo.processInfo.activeProcessorCount * 2 + 2
    let configuration = ConnectionConfiguration(address: try TestServer.address)
    let connections = try await withThrowingTaskGroup(of: Connection.self) { group in
      for _ in 0..<count { group.addTask { try await Connection.open(configuration) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let ticker = Ticker()
    let ticking = Task { await ticker.run() }
    let times = try await withThrowingTaskGroup(of: (Timestamp, Timestamp).self) { group in
      for connection in connections { group.addTask { [sleep] in try await connection.run(sleep) } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    ticking.cancel()
    await ticking.value
    for connection in connections { await connection.close() }

    let lastBegin = try #require(times.map(\.0).max())
    let firstEnd = try #require(times.map(\.1).min())
    #expect(lastBegin < firstEnd, "the statements did not all run at once")
    // If the pool were blocked, the gap would be the twelve seconds of a statement. A busy machine
    // causes only shorter gaps.
    #expect(ticker.longestGap < .seconds(6))
    #expect(ticker.ticks > 20)
  }
}

/// A task in Swift's pool that ticks every 10 ms and records the longest time between two ticks.
private final class Ticker: Sendable {
  private let state = Mutex<(ticks: Int, gap: Duration)>((0, .zero))

  var ticks: Int { state.withLock { $0.ticks } }
  var longestGap: Duration { state.withLock { $0.gap } }

  @concurrent
  func run() async {
    let clock = ContinuousClock()
    var last = clock.now
    while !Task.isCancelled {
      try? await Task.sleep(for: .milliseconds(10))
      let now = clock.now
      state.withLock { $0 = ($0.ticks + 1, max($0.gap, last.duration(to: now))) }
      last = now
    }
  }
}
