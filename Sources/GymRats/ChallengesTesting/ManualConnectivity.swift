import Challenges
public import ChallengesApp
import Foundation

/// A simulated network connection, whose state a test sets.
public final class ManualConnectivity: Connectivity, @unchecked Sendable {
  private let lock = NSLock()
  private var isOnline: Bool
  private var watchers: [Int: AsyncStream<Bool>.Continuation] = [:]
  private var last = 0

  /// Creates a connection with an initial state.
  public init(isOnline: Bool) { self.isOnline = isOnline }

  /// Returns a stream of the current state and each change to it.
  public func states() -> AsyncStream<Bool> {
    let (states, continuation) = AsyncStream<Bool>.makeStream()
    let (number, state) = lock.withLock {
      last += 1
      watchers[last] = continuation
      return (last, isOnline)
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      lock.withLock { self.watchers[number] = nil }
    }
    continuation.yield(state)
    return states
  }

  /// Changes the state.
  public func change(isOnline: Bool) {
    let told = lock.withLock {
      self.isOnline = isOnline
      return Array(watchers.values)
    }
    for watcher in told { watcher.yield(isOnline) }
  }
}
