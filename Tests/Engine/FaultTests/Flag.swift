import Foundation
import Synchronization

/// A flag that is set once.
final class Flag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}

/// Returns a number from the environment, which can be set for longer runs than in CI.
func parameter(_ name: String, default value: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
}
