import Foundation
import Presence
import PresenceApp
import PresenceTesting
import Testing

/// Tests connections, and waiting for a connection.
@Suite struct NetworkMonitorTests {
  @Test func `every connection but none is one`() {
    #expect(ConnectionType.allCases.filter(\.isConnected) == [.wifi, .cellular, .wired, .other])
    #expect(ManualNetworkMonitor(.wifi).isConnected && !ManualNetworkMonitor(.none).isConnected)
  }

  @Test func `waiting ends at once where there is a network, else with the first one`() async {
    let monitor = ManualNetworkMonitor(.wired)
    #expect(await monitor.waitUntilConnected())
    monitor.change(to: .none)
    async let isConnected = monitor.waitUntilConnected()
    monitor.change(to: .cellular)
    #expect(await isConnected)
  }

  @Test func `waiting ends where it is cancelled`() async {
    let waiting = Task { await ManualNetworkMonitor(.none).waitUntilConnected() }
    waiting.cancel()
    #expect(await !waiting.value)
  }

  @Test func `each change is told once, to all who look`() async {
    let monitor = ManualNetworkMonitor(.wifi)
    let streams = [monitor.connectionTypes(), monitor.connectionTypes()]
    for type: ConnectionType in [.wifi, .none, .none, .cellular] { monitor.change(to: type) }
    for stream in streams {
      var seen: [ConnectionType] = []
      for await type in stream {
        seen.append(type)
        if type == .cellular { break }
      }
      #expect(seen == [.wifi, .none, .cellular])
    }
  }
}
