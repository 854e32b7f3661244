import Foundation
import Presence
public import PresenceApp

/// A simulated network connection, whose kind a test sets.
public final class ManualNetworkMonitor: NetworkMonitor, @unchecked Sendable {
  private let lock = NSLock()
  private var type: ConnectionType
  private var watchers: [Int: AsyncStream<ConnectionType>.Continuation] = [:]
  private var last = 0

  /// Creates a connection with an initial kind.
  public init(_ type: ConnectionType) { self.type = type }

  /// The current kind of connection.
  public var connectionType: ConnectionType { lock.withLock { type } }

  /// Returns a stream that begins with the current kind of connection and continues with each
  /// change.
  public func connectionTypes() -> AsyncStream<ConnectionType> {
    let (types, continuation) = AsyncStream<ConnectionType>.makeStream()
    let number = lock.withLock {
      last += 1
      watchers[last] = continuation
      // The lock is held until the current kind is sent, so a later change cannot be sent first.
      continuation.yield(type)
      return last
    }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      lock.withLock { self.watchers[number] = nil }
    }
    return types
  }

  /// Changes the kind of connection, or does nothing if the kind stays the same.
  public func change(to type: ConnectionType) {
    lock.withLock {
      guard self.type != type else { return }
      self.type = type
      for watcher in watchers.values { watcher.yield(type) }
    }
  }
}
