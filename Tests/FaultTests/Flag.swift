import Foundation
import Synchronization

/// Set once.
final class Flag: Sendable {
  private let value = Mutex(false)
  var isSet: Bool { value.withLock { $0 } }
  func set() { value.withLock { $0 = true } }
}

/// Durations of one kind, collected by several tasks.
final class Durations: Sendable {
  private let values = Mutex<[Duration]>([])

  func add(_ duration: Duration) { values.withLock { $0.append(duration) } }

  var count: Int { values.withLock { $0.count } }
  var median: Duration { share(0.5) }
  var p99: Duration { share(0.99) }
  var longest: Duration { share(1) }

  /// The smallest value that this share of them does not exceed; zero of none.
  private func share(_ share: Double) -> Duration {
    let sorted = values.withLock { $0.sorted() }
    guard !sorted.isEmpty else { return .zero }
    return sorted[max(0, Int((share * Double(sorted.count)).rounded(.up)) - 1)]
  }
}

/// A number that the environment may set for longer runs than CI's.
func parameter(_ name: String, default value: Int) -> Int {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? value
}

/// Runs what blocks on a thread of its own: the cooperative pool has one thread a core.
func blocking<R: Sendable>(_ body: @escaping @Sendable () throws -> R) async throws -> R {
  try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}
