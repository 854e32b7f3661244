import Foundation
import Synchronization

/// Set once.
final class Flag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}

/// A number that the environment may set for longer runs than CI's.
func parameter(_ name: String, default value: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
}
