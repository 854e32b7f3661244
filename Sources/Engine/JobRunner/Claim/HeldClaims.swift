import Foundation
import Synchronization

/// The claims that a worker knows, and whether there may be claims that the worker does not know.
///
/// A claim can commit although its response is lost. The claimed runs then belong to a live worker
/// that does not know them, so no worker would process them.
final class HeldClaims: Sendable {
  private struct State {
    /// For each token, the number of parts of its claim that are processed separately.
    var tokens: [UUID: Int] = [:]

    mutating func end(_ token: UUID) {
      guard let parts = tokens[token] else { return }
      tokens[token] = parts > 1 ? parts - 1 : nil
    }
    var doubtedAt: ContinuousClock.Instant?
  }

  /// The minimum time for which the worker checks for unknown claims after a claim whose result is
  /// unknown.
  ///
  /// The server may still execute the claim until the server notices that the connection is closed.
  private static let doubt = Duration.seconds(60)

  private let state = Mutex(State())

  /// The tokens of all claims that are being requested, processed or settled.
  var known: [UUID] { state.withLock { Array($0.tokens.keys) } }

  /// Whether there may be claimed runs that this worker does not know.
  ///
  /// No clock alone ends the doubt. As long as the unknown runs cannot be released, for example
  /// because a table is locked for minutes, the worker tries again.
  var isInDoubt: Bool { state.withLock { $0.doubtedAt != nil } }

  /// Records that all unknown claims were released by statements that began at this instant.
  func released(since instant: ContinuousClock.Instant) {
    state.withLock { state in
      guard let doubted = state.doubtedAt, doubted.duration(to: instant) > Self.doubt else {
        return
      }
      state.doubtedAt = nil
    }
  }

  /// Records the token of a new claim.
  ///
  /// Call this method before the claim is sent, so that the claimed runs are not mistaken for
  /// unknown runs.
  func begin(_ token: UUID) { state.withLock { $0.tokens[token] = 1 } }

  /// Sets the number of parts of a claim whose runs are processed separately.
  ///
  /// Call this method after the claim. Each part must then call ``end(_:)`` or ``abandon(_:)``
  /// once.
  func divide(_ token: UUID, into parts: Int) { state.withLock { $0.tokens[token] = parts } }

  /// Removes the token of a claim, or one part of the claim.
  ///
  /// Call this method after the runs were processed or settled, or if the claim returned no runs.
  func end(_ token: UUID) { state.withLock { $0.end(token) } }

  /// Removes one part of a claim for each of these tokens.
  func end(_ tokens: [UUID]) {
    state.withLock { state in for token in tokens { state.end(token) } }
  }

  /// Removes the token of a claim whose result is unknown.
  ///
  /// Call this method after an error that leaves open whether the server claimed or released the
  /// runs.
  func abandon(_ token: UUID) {
    state.withLock {
      $0.end(token)
      $0.doubtedAt = .now
    }
  }
}
