import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// How often a worker asks for a server that is away.
@Suite(.timeLimit(.minutes(5)))
struct ReconnectTests {
  @Test func `a server that is away is asked for twice a second at least, and never stormed`()
    async throws
  {
    // Nobody listens behind the proxy, so every try is seen and fails.
    let proxy = try FaultProxy(before: try Listener.unusedPort())
    defer { proxy.close() }
    let reconnecting = ReconnectingSession(
      ConnectionConfiguration(address: proxy.address), in: .standard, logger: .quiet)
    let began = ContinuousClock.now
    await reconnecting.reconnect(while: { began.duration(to: .now) < .seconds(10) })
    let tries = proxy.tries
    let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
    print("\(tries.count) tries in 10 s, the longest pause \(pauses.max() ?? .zero)")
    // Some 30 on an idle machine. Pauses that only ever double come to 9, no pauses to thousands.
    #expect((13..<80).contains(tries.count))
  }
}
