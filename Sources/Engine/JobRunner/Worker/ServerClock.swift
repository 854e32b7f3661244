import BatonPostgres
import Foundation
import Synchronization

/// The worker's estimate of the server's clock: this machine's clock plus a stored difference.
final class ServerClock: Sendable {
  private let ahead = Mutex<Int64>(0)

  /// The time of this machine's clock.
  private static var own: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

  /// The estimated current time of the server.
  var now: Timestamp { Timestamp(microseconds: Self.own + ahead.withLock { $0 }) }

  /// Stores a time that the server has just returned; the time of the way back is part of the error.
  func learn(_ server: Timestamp) {
    ahead.withLock { $0 = server.microseconds - Self.own }
  }
}
