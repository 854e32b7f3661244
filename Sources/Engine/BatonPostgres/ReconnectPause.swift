/// The pauses between attempts to reach a server that is away: each is longer, up to half a second.
///
/// So work continues within a second after the server accepts connections again, and a starting server is not flooded
/// with attempts.
package struct ReconnectPause: Sendable {
  private var longest = Duration.milliseconds(20)

  package init() {}

  /// The next pause.
  package mutating func next() -> Duration {
    let pause = longest * Double.random(in: 0.5...1)
    longest = min(longest * 2, .milliseconds(500))
    return pause
  }
}
