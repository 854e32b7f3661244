import Foundation
import Presence
public import PresenceApp

/// A network that is there or not, as a test says.
public final class ManualNetworkMonitor: NetworkMonitor, @unchecked Sendable {
  private let lock = NSLock()
  private var type: ConnectionType
  private var watchers: [Int: AsyncStream<ConnectionType>.Continuation] = [:]
  private var last = 0

  /// A network in a state.
  public init(_ type: ConnectionType) { self.type = type }

  /// The connection now.
  public var connectionType: ConnectionType { lock.withLock { type } }

  /// The connection now, then each change of it.
  public func connectionTypes() -> AsyncStream<ConnectionType> {
    let (types, continuation) = AsyncStream<ConnectionType>.makeStream()
    let number = lock.withLock {
      last += 1
      watchers[last] = continuation
      // Under the lock, so that no later change comes first.
      continuation.yield(type)
      return last
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      lock.withLock { self.watchers[number] = nil }
    }
    return types
  }

  /// Changes the connection; does nothing if the type stays the same.
  public func change(to type: ConnectionType) {
    lock.withLock {
      guard self.type != type else { return }
      self.type = type
      for watcher in watchers.values { watcher.yield(type) }
    }
  }
}
