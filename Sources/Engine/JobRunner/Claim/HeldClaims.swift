import Foundation
import Synchronization

/// The claims that a worker knows of, and whether there may be others.
///
/// A claim can commit while its answer is lost. Its runs then belong to a worker that is alive but does not know
/// them, so no worker would ever work them.
final class HeldClaims: Sendable {
  private struct State {
    /// Each token with the number of parts of its claim that are worked separately.
    var tokens: [UUID: Int] = [:]

    mutating func end(_ token: UUID) {
      guard let parts = tokens[token] else { return }
      tokens[token] = parts > 1 ? parts - 1 : nil
    }
    var doubtedAt: ContinuousClock.Instant?
  }

  /// For how long after a doubt the worker checks for unknown claims.
  ///
  /// The server may still execute the claim, and stops when it notices that the connection is gone.
  private static let doubt = Duration.seconds(60)

  private let state = Mutex(State())

  /// The tokens of all claims that are being asked for, worked or settled.
  var known: [UUID] { state.withLock { Array($0.tokens.keys) } }

  /// Whether there may be runs of a claim that this worker does not know.
  var isInDoubt: Bool {
    state.withLock { $0.doubtedAt.map { $0.duration(to: .now) < Self.doubt } ?? false }
  }

  /// Call it before the claim is sent, so that its runs are never taken for unknown ones.
  func begin(_ token: UUID) { state.withLock { $0.tokens[token] = 1 } }

  /// Call it after a claim whose runs are worked separately: each part ends or abandons the token once.
  func divide(_ token: UUID, into parts: Int) { state.withLock { $0.tokens[token] = parts } }

  /// Call it after the runs were worked or settled, or if there were none.
  func end(_ token: UUID) { state.withLock { $0.end(token) } }

  /// Call it after an error that leaves open whether the server gave or took back the runs.
  func abandon(_ token: UUID) {
    state.withLock {
      $0.end(token)
      $0.doubtedAt = .now
    }
  }
}
