/// The pauses between failed connection attempts.
///
/// The pauses grow up to a limit.
///
/// With the default limit of half a second, a program reconnects within a second after the server
/// accepts connections again. The pauses prevent a starting server from being flooded with
/// attempts. A random part of each pause prevents many processes from connecting at the same
/// moment.
package struct ReconnectPause: Sendable {
  private let first: Duration
  private let limit: Duration
  private var longest: Duration

  package init(from first: Duration = .milliseconds(20), upTo limit: Duration = .milliseconds(500))
  {
    self.first = first
    self.limit = limit
    longest = first
  }

  /// The pauses after a rejected login.
  ///
  /// If the password is wrong, too many attempts could lock the role.
  package static var afterRefusedLogins: Self { Self(from: .seconds(1), upTo: .seconds(2)) }

  /// Returns the next pause.
  package mutating func next() -> Duration {
    let pause = longest * Double.random(in: 0.5...1)
    longest = min(longest * 2, limit)
    return pause
  }

  /// Resets the pauses after a success, so that the next pause is short.
  package mutating func reset() { longest = first }
}
