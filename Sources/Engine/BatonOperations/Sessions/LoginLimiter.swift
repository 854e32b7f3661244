import Synchronization

/// Limits login attempts to ten, and then to one every three seconds, over all clients.
///
/// All requests may come through one proxy, so clients cannot be distinguished. Sessions and tokens
/// are not limited. No client is locked out, because the next allowed attempt with the right
/// password succeeds.
final class LoginLimiter: Sendable {
  static let most = 10.0
  static let pause = 3.0

  private let state = Mutex((left: LoginLimiter.most, at: ContinuousClock.now))

  /// Uses up one attempt if an attempt is available.
  ///
  /// - Returns: nil if an attempt was available, or the number of seconds until the next attempt.
  func take(at now: ContinuousClock.Instant = .now) -> Int? {
    state.withLock { state in
      let waited = state.at.duration(to: now) / .seconds(1)
      state = (min(Self.most, state.left + max(0, waited) / Self.pause), now)
      guard state.left >= 1 else { return Int(((1 - state.left) * Self.pause).rounded(.up)) }
      state.left -= 1
      return nil
    }
  }

  /// Restores all attempts after a successful login.
  func reset() { state.withLock { $0.left = Self.most } }
}
