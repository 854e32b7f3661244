import Foundation
import Synchronization

/// The known claims of a worker, and whether the worker may also own unknown claims.
///
/// If the response to a committed claim is lost, the worker owns runs that it does not know.
/// Without this type, no worker would process these unknown runs.
final class HeldClaims: Sendable {
  private struct State {
    /// The number of separately processed parts of each claim, keyed by the claim's token.
    var tokens: [UUID: Int] = [:]

    mutating func end(_ token: UUID) {
      guard let parts = tokens[token] else { return }
      tokens[token] = parts > 1 ? parts - 1 : nil
    }
    var doubtedAt: ContinuousClock.Instant?
  }

  /// After a claim with an unknown result, the worker checks for unknown claims for at least this
  /// time.
  ///
  /// After a connection is lost, the server may still execute a claim until the server notices the
  /// closed connection.
  private static let doubt = Duration.seconds(60)

  private let state = Mutex(State())

  /// The tokens of all claims that are requested, in progress or being settled.
  var known: [UUID] { state.withLock { Array($0.tokens.keys) } }

  /// Whether this worker may own claimed runs that it does not know about.
  ///
  /// The value stays true, regardless of the elapsed time, until a release of unknown runs has
  /// succeeded. The worker retries the release of unknown runs until the release succeeds, even if
  /// a table is locked for minutes.
  var isInDoubt: Bool { state.withLock { $0.doubtedAt != nil } }

  /// Records that statements that began at the given instant have released all unknown claims.
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
  /// Call this method before the claim is sent. If the token were recorded after the claim, the
  /// claimed runs could be treated as unknown runs.
  func begin(_ token: UUID) { state.withLock { $0.tokens[token] = 1 } }

  /// Sets the number of separately processed parts of a claim.
  ///
  /// Call this method after the claim has returned runs. For each part of a divided claim, the
  /// caller must call ``end(_:)`` or ``abandon(_:)`` once.
  func divide(_ token: UUID, into parts: Int) { state.withLock { $0.tokens[token] = parts } }

  /// Removes the token of a claim, or one part of the claim.
  ///
  /// Call this method after the runs were processed or settled, or if the claim returned no runs.
  func end(_ token: UUID) { state.withLock { $0.end(token) } }

  /// Removes one part of a claim for each of the given tokens.
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
