import Synchronization

/// Limits attempts to log in: ten, then one every three seconds, of all clients together.
///
/// All requests may come through one proxy, so clients cannot be distinguished. Sessions and tokens are not limited,
/// and no client is locked out: the next attempt with the right password succeeds.
final class LoginLimiter: Sendable {
  static let most = 10.0
  static let pause = 3.0

  private let state = Mutex((left: LoginLimiter.most, at: ContinuousClock.now))

  /// Takes an attempt.
  ///
  /// - Returns: nil if there was one; else the seconds until the next one.
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
