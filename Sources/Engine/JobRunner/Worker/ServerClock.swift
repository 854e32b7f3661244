import BatonPostgres
import Foundation
import Synchronization

/// The worker's estimate of the server's clock, based on this machine's clock and a stored
/// difference.
final class ServerClock: Sendable {
  private let ahead = Mutex<Int64>(0)

  /// The time of this machine's clock, in microseconds since 1970-01-01 00:00 UTC.
  private static var own: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

  /// The estimated current time of the server.
  var now: Timestamp { Timestamp(microseconds: Self.own + ahead.withLock { $0 }) }

  /// Stores the difference between this machine's clock and a time that the server has just
  /// returned.
  ///
  /// The estimate is off by the transmission time of the response.
  func learn(_ server: Timestamp) {
    ahead.withLock { $0 = server.microseconds - Self.own }
  }
}
