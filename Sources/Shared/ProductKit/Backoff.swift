/// Exponential pauses between attempts: each pause is twice as long as the previous one, with
/// jitter.
public struct Backoff: Hashable, Sendable {
  /// The pause before the second attempt.
  public let first: Duration
  /// The longest pause.
  public let longest: Duration

  /// Creates a backoff whose pauses grow from `first` to `longest`.
  public init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
    self.first = first
    self.longest = longest
  }

  /// Returns the pause after a number of consecutive failures.
  ///
  /// - Parameter random: a random number from 0 to 1, which selects a pause from 50 % to 100 % of
  ///   the full pause. Because of the random number, phones do not all call a recovered server
  ///   within the same second.
  public func pause(after failures: Int, random: Double) -> Duration {
    var pause = first
    for _ in 1..<max(2, min(failures, 64)) where failures > 1 && pause < longest { pause *= 2 }
    return min(pause, longest) * (0.5 + min(max(random, 0), 1) / 2)
  }
}
