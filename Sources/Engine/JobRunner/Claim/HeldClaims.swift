import Foundation
import Synchronization

/// The claims of a worker, and whether the response to a committed claim may have been lost.
///
/// If the response to a committed claim is lost, the worker does not know that it owns the claimed
/// runs. With this type, the worker detects a lost response and releases the claimed runs. If the
/// claimed runs were not released, no worker would process them.
final class HeldClaims: Sendable {
  private struct State {
    /// The number of separately processed parts of each claim, keyed by the claim's token.
    var tokens: [UUID: Int] = [:]
    /// The tokens of claims with an abandoned part and with other parts that have not ended yet.
    var abandoned: Set<UUID> = []
    var doubtedAt: ContinuousClock.Instant?

    /// Removes one part of a claim.
    ///
    /// The runs of an abandoned part can be released only after the last part has ended, so the
    /// doubt begins again.
    mutating func end(_ token: UUID) {
      guard let parts = tokens[token] else { return }
      tokens[token] = parts > 1 ? parts - 1 : nil
      if parts == 1, abandoned.remove(token) != nil { doubtedAt = .now }
    }

    mutating func abandon(_ token: UUID) {
      end(token)
      if tokens[token] != nil { abandoned.insert(token) }
      doubtedAt = .now
    }
  }

  /// For at least this long after a failed claim, the worker checks whether the server has
  /// committed it.
  ///
  /// After a connection is lost, the server may still execute a claim until it notices that the
  /// connection is closed.
  private static let doubt = Duration.seconds(60)

  private let state = Mutex(State())

  /// The tokens of all claims that are requested, in progress or being settled.
  var known: [UUID] { state.withLock { Array($0.tokens.keys) } }

  /// Whether the server may have committed a claim of this worker whose response was lost.
  ///
  /// The value becomes false only after the worker has released the runs of all claims whose
  /// responses were lost. The worker retries the release until it succeeds, even if a table is
  /// locked for minutes.
  var isInDoubt: Bool { state.withLock { $0.doubtedAt != nil } }

  /// Records that the worker has released the runs of all claims whose responses were lost.
  ///
  /// If the release began at most 60 s after the last failed claim, the call does not change
  /// anything.
  ///
  /// - Parameter instant: the time when the release began.
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
  /// worker could mistakenly release the claimed runs.
  func begin(_ token: UUID) { state.withLock { $0.tokens[token] = 1 } }

  /// Sets the number of separately processed parts of a claim.
  ///
  /// Call this method after the claim has returned runs. For each part of a divided claim, the
  /// caller must call ``end(_:)`` or ``abandon(_:)`` once.
  func divide(_ token: UUID, into parts: Int) { state.withLock { $0.tokens[token] = parts } }

  /// Removes the token of a claim, or one part of it.
  ///
  /// Call this method after the runs have been processed or settled, or if the claim returned no
  /// runs.
  func end(_ token: UUID) { state.withLock { $0.end(token) } }

  /// Removes one part of a claim for each of the given tokens.
  func end(_ tokens: [UUID]) {
    state.withLock { state in for token in tokens { state.end(token) } }
  }

  /// Removes the token of a claim whose result is unknown, or one part of it.
  ///
  /// Call this method after an error that leaves open whether the server claimed or released the
  /// runs.
  func abandon(_ token: UUID) { state.withLock { $0.abandon(token) } }
}
