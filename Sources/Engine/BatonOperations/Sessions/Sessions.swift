import Synchronization

/// Who is signed in, in memory: whoever starts the program again ends all sessions.
final class Sessions: Sendable {
  /// One person at one browser.
  struct Session: Sendable {
    let person: String
    /// What each form of it has to send back.
    let formToken: RandomToken
    fileprivate let began: ContinuousClock.Instant
    fileprivate var used: ContinuousClock.Instant
  }

  /// From signing in a session lasts no longer.
  static let longest = Duration.seconds(12 * 3_600)
  /// Without a request it ends sooner.
  static let longestIdle = Duration.seconds(3_600)
  /// Beyond so many the one that was idle for longest ends: nobody fills the memory by signing in.
  static let most = 256

  /// The cookie's name is this process's own: browsers keep the cookies of all ports of a host together, and who looks
  /// at two of these programs through tunnels would be signed out of one by the other.
  let cookie = "baton_session_" + RandomToken().text.prefix(8)

  private let sessions = Mutex<[String: Session]>([:])

  /// Begins a session.
  ///
  /// - Returns: what the browser shows from now on.
  func begin(for person: String, at now: ContinuousClock.Instant = .now) -> String {
    let key = RandomToken().text
    sessions.withLock { sessions in
      sessions = sessions.filter { Self.lasts($0.value, at: now) }
      while sessions.count >= Self.most,
        let oldest = sessions.min(by: { $0.value.used < $1.value.used })
      {
        sessions[oldest.key] = nil
      }
      sessions[key] = Session(person: person, formToken: RandomToken(), began: now, used: now)
    }
    return key
  }

  /// The session that a browser shows; nil: none, or it has ended.
  ///
  /// - Parameter isUse: whether somebody asked, and not a page that keeps itself current on a screen that was left.
  func session(
    _ key: String, isUse: Bool = true, at now: ContinuousClock.Instant = .now
  ) -> Session? {
    sessions.withLock { sessions in
      guard var session = sessions[key] else { return nil }
      guard Self.lasts(session, at: now) else {
        sessions[key] = nil
        return nil
      }
      if isUse { session.used = now }
      sessions[key] = session
      return session
    }
  }

  /// Ends a session.
  func end(_ key: String) { sessions.withLock { $0[key] = nil } }

  private static func lasts(_ session: Session, at now: ContinuousClock.Instant) -> Bool {
    session.began.duration(to: now) < longest && session.used.duration(to: now) < longestIdle
  }
}
