/// How often a run is tried, and how long it waits in between.
public struct Retry: Sendable, Hashable {
  /// All tries, the first included.
  public let attempts: Int
  /// The wait after the first try; it doubles with every further one.
  public let first: Duration
  /// The longest wait.
  public let longest: Duration

  /// Up to `attempts` tries, with waits that double from `first` up to `longest`.
  public static func attempts(
    _ attempts: Int, exponentialFrom first: Duration, to longest: Duration
  ) -> Retry {
    precondition(attempts > 0 && first >= .zero && longest >= first, "a retry that can be followed")
    return Retry(attempts: attempts, first: first, longest: longest)
  }

  /// Eight tries, the waits doubling from a second: two minutes in all.
  public static let usual = attempts(8, exponentialFrom: .seconds(1), to: .seconds(300))

  /// The wait after a failed attempt: `min(longest, first * 2^(attempt - 1))`, of which a random
  /// half is taken off so that runs that failed together do not come back together.
  ///
  /// - Parameters:
  ///   - attempt: the attempt that failed, from 1.
  ///   - jitter: a random number from 0 to 1.
  public func wait(after attempt: Int, jitter: Double) -> Duration {
    let doublings = min(max(attempt, 1) - 1, 40)
    let full = min(longest, first * (1 << doublings))
    return full / 2 + full / 2 * jitter
  }
}
