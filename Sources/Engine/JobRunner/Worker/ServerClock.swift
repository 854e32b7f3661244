import BatonPostgres
import Foundation
import Synchronization

/// The worker's estimate of the server's clock, based on this machine's clock and a stored
/// difference.
///
/// The object also detects forward jumps of the server's clock. After a jump, all workers' stored
/// heartbeats seem old, until each worker has sent its next heartbeat.
final class ServerClock: Sendable {
  private struct State {
    var ahead: Int64 = 0
    /// The last time value that the server returned, and the time of the response.
    var last: (server: Timestamp, at: ContinuousClock.Instant)?
    var jumpedAt: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  /// The smallest difference that counts as a jump.
  private static let smallestJump = Duration.seconds(3)
  /// The time after a jump in which each live worker sends at least one heartbeat.
  private static let settlement = Heartbeat.pace * 2

  /// The time on this machine's clock, in microseconds since 1970-01-01 00:00 UTC.
  private static var own: Int64 { Int64(Date().timeIntervalSince1970 * 1_000_000) }

  /// The estimated current time on the server.
  var now: Timestamp { Timestamp(microseconds: Self.own + state.withLock { $0.ahead }) }

  /// Whether the server's clock has just jumped forward, in which case old heartbeats prove
  /// nothing.
  var hasJustJumped: Bool {
    state.withLock { $0.jumpedAt.map { $0.duration(to: .now) < Self.settlement } ?? false }
  }

  /// Stores the difference between this machine's clock and a time that the server has just
  /// returned.
  ///
  /// The estimate is off by the transmission time of the response.
  func learn(_ server: Timestamp) {
    let now = ContinuousClock.now
    state.withLock { state in
      if let last = state.last {
        let passed = Duration.microseconds(server.microseconds - last.server.microseconds)
        if passed - last.at.duration(to: now) > Self.smallestJump { state.jumpedAt = now }
      }
      state.last = (server, now)
      state.ahead = server.microseconds - Self.own
    }
  }
}
