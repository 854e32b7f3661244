import Presence

/// The kind of network connection of a device.
public enum ConnectionType: String, CaseIterable, Codable, Hashable, Sendable {
  /// A wireless network.
  case wifi
  /// A cellular network.
  case cellular
  /// A wired network.
  case wired
  /// Another connection, such as one through another device.
  case other
  /// No connection.
  case none

  /// Whether a network connection exists.
  public var isConnected: Bool { self != .none }
}

/// Reports the kind of network connection and its changes.
///
/// An app gets the connection from the operating system, and tests set it themselves.
public protocol NetworkMonitor: Sendable {
  /// The current kind of connection.
  var connectionType: ConnectionType { get }

  /// Returns a stream of the current connection and of each change.
  func connectionTypes() -> AsyncStream<ConnectionType>
}

extension NetworkMonitor {
  /// Whether a network connection exists.
  public var isConnected: Bool { connectionType.isConnected }

  /// Waits for a network connection, or returns immediately if one exists.
  ///
  /// - Returns: False if the task was cancelled.
  @discardableResult
  public func waitUntilConnected() async -> Bool {
    for await type in connectionTypes() where type.isConnected { return true }
    return false
  }
}
