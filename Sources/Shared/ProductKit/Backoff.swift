/// Pauses between attempts: each twice as long as the last one, with jitter.
public struct Backoff: Hashable, Sendable {
  /// The pause before the second attempt.
  public let first: Duration
  /// The longest pause.
  public let longest: Duration

  /// Pauses from a first one to a longest one.
  public init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
    self.first = first
    self.longest = longest
  }

  /// The pause after a number of failures in a row.
  ///
  /// - Parameter random: 0 to 1; the pause is between half of its full length and the full length. When a server
  ///   returns, the phones that lost it therefore do not all call within one second.
  public func pause(after failures: Int, random: Double) -> Duration {
    var pause = first
    for _ in 1..<max(2, min(failures, 64)) where failures > 1 && pause < longest { pause *= 2 }
    return min(pause, longest) * (0.5 + min(max(random, 0), 1) / 2)
  }
}
