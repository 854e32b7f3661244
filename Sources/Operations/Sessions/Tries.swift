import Synchronization

/// How often passwords may be tried: ten at once, then one each three seconds, over all who try.
///
/// All questions may come through one proxy, so nobody can be told apart. Who is signed in and who has the token are
/// not slowed down, and nobody is locked out: the right password is taken with the next try that there is.
final class Tries: Sendable {
  static let most = 10.0
  static let pause = 3.0

  private let state = Mutex((left: Tries.most, at: ContinuousClock.now))

  /// Takes a try.
  ///
  /// - Returns: nil, or after how many seconds there is another one.
  func take(at now: ContinuousClock.Instant = .now) -> Int? {
    state.withLock { state in
      let waited = state.at.duration(to: now) / .seconds(1)
      state = (min(Self.most, state.left + max(0, waited) / Self.pause), now)
      guard state.left >= 1 else { return Int(((1 - state.left) * Self.pause).rounded(.up)) }
      state.left -= 1
      return nil
    }
  }

  /// The password was right: what was taken is there again.
  func giveAll() { state.withLock { $0.left = Self.most } }
}
