import BatonPostgres
import TestSupport
import Testing

@testable import JobRunner

/// How often a worker tries to reach a server that is down.
@Suite(.timeLimit(.minutes(5)))
struct ReconnectTests {
  @Test(.sampled())
  func `a server that is away is asked for twice a second at least, and never stormed`()
    async throws
  {
    // No server listens at the address of the proxy, so every attempt is counted and fails.
    let proxy = try FaultProxy(before: try Listener.unusedPort())
    defer { proxy.close() }
    let reconnecting = ReconnectingSession(
      ConnectionConfiguration(address: proxy.address), in: .standard, logger: .quiet)
    let watch = StallWatch()
    defer { watch.stop() }
    let began = ContinuousClock.now
    await reconnecting.reconnect(while: { began.duration(to: .now) < .seconds(10) })
    let tries = proxy.tries
    let pauses = zip(tries.dropFirst(), tries).map { $0 - $1 }
    print("\(tries.count) tries in 10 s, the longest pause \(pauses.max() ?? .zero)")
    // On an idle machine, there are about 30 attempts. With pauses that always double there would
    // be 9, and without pauses thousands. A stopped machine makes no attempts.
    let delay = watch.delay(in: began...(began + .seconds(10)))
    let seconds = (Duration.seconds(10) - delay) / .seconds(1)
    #expect(Double(tries.count) >= seconds * 1.3)
    #expect(tries.count < 80)
  }
}
