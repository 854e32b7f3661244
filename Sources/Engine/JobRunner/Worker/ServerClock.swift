import BatonPostgres
import Foundation
import Synchronization

/// The server's clock, as far as a worker knows it without asking: by how much its own is behind.
final class ServerClock: Sendable {
  private let ahead = Mutex<Int64>(0)

  /// What this machine's clock says.
  private static var own: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

  /// Now.
  var now: Timestamp { Timestamp(microseconds: Self.own + ahead.withLock { $0 }) }

  /// Learns what the server said just now; the way back is part of the error.
  func learn(_ server: Timestamp) {
    ahead.withLock { $0 = server.microseconds - Self.own }
  }
}
