/// The pauses between attempts, each twice as long as the previous one, with jitter.
public struct Backoff: Hashable, Sendable {
  /// The pause before the second attempt.
  public let first: Duration
  /// The longest pause.
  public let longest: Duration

  /// Creates pauses that grow from a first one to a longest one.
  public init(first: Duration = .seconds(1), longest: Duration = .seconds(300)) {
    self.first = first
    self.longest = longest
  }

  /// Returns the pause after a number of consecutive failures.
  ///
  /// - Parameter random: a number from 0 to 1, for a pause between 50 % and 100 % of its full
  ///   length. With random numbers, phones do not all call within the same second when a server
  ///   becomes available again.
  public func pause(after failures: Int, random: Double) -> Duration {
    var pause = first
    for _ in 1..<max(2, min(failures, 64)) where failures > 1 && pause < longest { pause *= 2 }
    return min(pause, longest) * (0.5 + min(max(random, 0), 1) / 2)
  }
}
