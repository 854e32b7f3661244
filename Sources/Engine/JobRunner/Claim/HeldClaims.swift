import Foundation
import Synchronization

/// The claims that a worker knows of, and whether there may be others.
///
/// A claim can commit while its answer is lost. Its runs are then running under a worker that lives
/// and knows nothing of them: nobody would ever work them.
final class HeldClaims: Sendable {
  private struct State {
    /// Each with how many parts of its claim are worked apart from each other.
    var tokens: [UUID: Int] = [:]

    mutating func end(_ token: UUID) {
      guard let parts = tokens[token] else { return }
      tokens[token] = parts > 1 ? parts - 1 : nil
    }
    var doubtedAt: ContinuousClock.Instant?
  }

  /// How long after a doubt is looked: the server may still be at work on the claim, and ends that
  /// when it notices that the connection is gone.
  private static let doubt = Duration.seconds(60)

  private let state = Mutex(State())

  /// The tokens of all claims that are being asked for, worked or settled.
  var known: [UUID] { state.withLock { Array($0.tokens.keys) } }

  /// Whether there may be runs of a claim that nobody here knows of.
  var isInDoubt: Bool {
    state.withLock { $0.doubtedAt.map { $0.duration(to: .now) < Self.doubt } ?? false }
  }

  /// Before the claim is asked for, so that its runs are never taken for unknown ones.
  func begin(_ token: UUID) { state.withLock { $0.tokens[token] = 1 } }

  /// After a claim whose runs are worked apart: each of them ends or abandons the token for itself.
  func divide(_ token: UUID, into parts: Int) { state.withLock { $0.tokens[token] = parts } }

  /// After its runs were worked or settled, or there were none.
  func end(_ token: UUID) { state.withLock { $0.end(token) } }

  /// After an error that leaves open whether the server gave or took back the runs.
  func abandon(_ token: UUID) {
    state.withLock {
      $0.end(token)
      $0.doubtedAt = .now
    }
  }
}
