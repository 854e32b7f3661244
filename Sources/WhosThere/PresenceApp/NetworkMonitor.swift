import Presence

/// The kind of network that a device uses.
public enum ConnectionType: String, CaseIterable, Codable, Hashable, Sendable {
  /// A wireless network.
  case wifi
  /// A mobile network.
  case cellular
  /// A cable.
  case wired
  /// Something else, such as another device.
  case other
  /// Nothing.
  case none

  /// Whether there is a network at all.
  public var isConnected: Bool { self != .none }
}

/// The kind of network that the device uses, and its changes.
///
/// An app gets it from the system; tests set it themselves.
public protocol NetworkMonitor: Sendable {
  /// The connection now.
  var connectionType: ConnectionType { get }

  /// The connection now, then each change of it.
  func connectionTypes() -> AsyncStream<ConnectionType>
}

extension NetworkMonitor {
  /// Whether there is a network.
  public var isConnected: Bool { connectionType.isConnected }

  /// Waits for a network; returns at once if there is one.
  ///
  /// - Returns: false if the task was cancelled.
  @discardableResult
  public func waitUntilConnected() async -> Bool {
    for await type in connectionTypes() where type.isConnected { return true }
    return false
  }
}
