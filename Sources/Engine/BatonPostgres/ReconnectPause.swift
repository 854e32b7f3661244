/// The pauses between attempts to connect to an unavailable server, which grow up to half a second.
///
/// Work therefore resumes within a second after the server accepts connections again. A starting
/// server is not flooded with attempts.
package struct ReconnectPause: Sendable {
  private var longest = Duration.milliseconds(20)

  package init() {}

  /// Returns the next pause.
  package mutating func next() -> Duration {
    let pause = longest * Double.random(in: 0.5...1)
    longest = min(longest * 2, .milliseconds(500))
    return pause
  }
}
