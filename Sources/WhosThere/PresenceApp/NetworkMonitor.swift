import Presence

/// A device's kind of network connection.
public enum ConnectionType: String, CaseIterable, Codable, Hashable, Sendable {
  /// A wireless network.
  case wifi
  /// A cellular network.
  case cellular
  /// A wired network.
  case wired
  /// Another kind of connection, such as a connection through another device.
  case other
  /// No connection.
  case none

  /// Whether a network connection exists.
  public var isConnected: Bool { self != .none }
}

/// Reports the kind of network connection and its changes.
///
/// An app gets the kind of connection from the operating system, and a test sets the kind of
/// connection itself.
public protocol NetworkMonitor: Sendable {
  /// The current kind of connection.
  var connectionType: ConnectionType { get }

  /// Returns a stream that begins with the current kind of connection and continues with each
  /// change.
  func connectionTypes() -> AsyncStream<ConnectionType>
}

extension NetworkMonitor {
  /// Whether a network connection exists.
  public var isConnected: Bool { connectionType.isConnected }

  /// Waits for a network connection, or returns immediately if one exists.
  ///
  /// - Returns: True if a connection exists, or false if the task was cancelled.
  @discardableResult
  public func waitUntilConnected() async -> Bool {
    for await type in connectionTypes() where type.isConnected { return true }
    return false
  }
}
