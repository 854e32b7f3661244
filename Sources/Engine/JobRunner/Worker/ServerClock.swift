import BatonPostgres
import Foundation
import Synchronization

/// The worker's estimate of the server's clock, based on the last time that the server returned and
/// the time since then.
///
/// The time since then is measured with a monotonic clock, so the estimate stays correct if this
/// machine's clock is set.
///
/// The object also detects forward jumps of the server's clock. After a jump, all workers' stored
/// heartbeats seem old, until each worker has sent its next heartbeat.
final class ServerClock: Sendable {
  private struct State {
    /// The last time value that the server returned, and the time of the response.
    var last: (server: Timestamp, at: ContinuousClock.Instant)?
    var jumpedAt: ContinuousClock.Instant?
  }

  private let state = Mutex(State())
  /// The smallest difference that counts as a jump.
  private static let smallestJump = Duration.seconds(3)
  /// The time after a jump in which each live worker sends at least one heartbeat.
  private static let settlement = Heartbeat.pace * 2

  /// The estimated current time on the server.
  ///
  /// Until the server has returned a time, the estimate is the time on this machine's clock.
  var now: Timestamp {
    guard let last = state.withLock({ $0.last }) else {
      return Timestamp(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
    }
    let passed = last.at.duration(to: .now)
    return Timestamp(
      microseconds: last.server.microseconds + Int64(passed / .microseconds(1)))
  }

  /// Whether the server's clock has just jumped forward, in which case old heartbeats prove
  /// nothing.
  var hasJustJumped: Bool {
    state.withLock { $0.jumpedAt.map { $0.duration(to: .now) < Self.settlement } ?? false }
  }

  /// Stores a time that the server has just returned.
  ///
  /// The estimate is off by the transmission time of the response.
  ///
  /// - Parameter now: the time of the response.
  func learn(_ server: Timestamp, at now: ContinuousClock.Instant = .now) {
    state.withLock { state in
      if let last = state.last {
        let passed = Duration.microseconds(server.microseconds - last.server.microseconds)
        if passed - last.at.duration(to: now) > Self.smallestJump { state.jumpedAt = now }
      }
      state.last = (server, now)
    }
  }
}
