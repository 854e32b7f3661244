import Baton
import Synchronization

/// The sessions of signed-in users, which are stored in memory and end when the program restarts.
final class Sessions: Sendable {
  /// The session of one user in one browser.
  struct Session: Sendable {
    let person: String
    /// The hash of the password with which the user logged in.
    ///
    /// If the users file contains a different hash for the user, the session has ended.
    let hash: PasswordHash
    /// The CSRF token that each form of the session must contain.
    let formToken: RandomToken
    fileprivate let began: ContinuousClock.Instant
    fileprivate var used: ContinuousClock.Instant
  }

  /// The maximum time from the login to the end of a session.
  static let longest = Duration.seconds(12 * 3_600)
  /// The maximum time between two requests in a session.
  ///
  /// If no request arrives within this time, the session ends.
  static let longestIdle = Duration.seconds(3_600)
  /// The maximum number of sessions, so that logins cannot exhaust memory.
  ///
  /// If the maximum is reached, another login ends the session that has been idle the longest.
  static let most = 256

  /// The name of the session cookie, which is unique to this process.
  ///
  /// Browsers share a host's cookies among all of its ports. If two Baton servers were reached
  /// through tunnels and used the same cookie name, they would end each other's sessions.
  let cookie = "baton_session_" + RandomToken().text.prefix(8)

  private let sessions = Mutex<[String: Session]>([:])

  /// Creates a session.
  ///
  /// - Returns: the value of the cookie.
  func begin(
    for person: String, with hash: PasswordHash, at now: ContinuousClock.Instant = .now
  ) -> String {
    let key = RandomToken().text
    sessions.withLock { sessions in
      sessions = sessions.filter { Self.lasts($0.value, at: now) }
      while sessions.count >= Self.most,
        let oldest = sessions.min(by: { $0.value.used < $1.value.used })
      {
        sessions[oldest.key] = nil
      }
      sessions[key] = Session(
        person: person, hash: hash, formToken: RandomToken(), began: now, used: now)
    }
    return key
  }

  /// Returns the session for a cookie, or nil if the session does not exist or has ended.
  ///
  /// - Parameter isUse: true for a request from a user, or false for an automatic page reload.
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
