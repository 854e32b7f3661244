/// How long to wait until a server that is away is asked for again: a pause that doubles up to half a second.
///
/// So the first work comes within a second of the server accepting again, and a server that starts is not
/// stormed.
package struct ReconnectPause: Sendable {
  private var longest = Duration.milliseconds(20)

  package init() {}

  /// The next one.
  package mutating func next() -> Duration {
    let pause = longest * Double.random(in: 0.5...1)
    longest = min(longest * 2, .milliseconds(500))
    return pause
  }
}
