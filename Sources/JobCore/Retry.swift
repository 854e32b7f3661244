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

  /// 25 tries, with waits that double from one second to six hours: about two days.
  public static let usual = attempts(25, exponentialFrom: .seconds(1), to: .seconds(6 * 3_600))

  /// As many tries as fill the same time with waits of at most `longest`.
  ///
  /// For jobs that derive data, because no event hurries a run that waits for its next attempt:
  /// `.usual.capped(at: .seconds(60))` tries for about two days, and a minute after the cause is
  /// gone the data is right. Transient errors of the server are always retried like this.
  ///
  /// ```swift
  /// static let definition = Definition<Self>(
  ///   "count-orders", on: [.table("order_line", on: .insert, key: "product")],
  ///   retry: .usual.capped(at: .seconds(60)))
  /// ```
  /// - Parameter longest: longer than nothing.
  public func capped(at longest: Duration) -> Retry {
    precondition(longest > .zero, "a retry that can be followed")
    guard longest < self.longest else { return self }
    let first = min(first, longest)
    var waits = 0
    var wait = first
    // In seconds: a number of attempts may be anything, and a product of Durations traps.
    var rest = seconds
    while rest > 0, wait < longest {
      rest -= wait / .seconds(1)
      waits += 1
      wait = min(longest, max(wait, .nanoseconds(1)) * 2)
    }
    let more = (max(rest, 0) / (longest / .seconds(1))).rounded(.up)
    return Retry(
      attempts: max(attempts, 1 + waits + Int(min(more, 1e15))), first: first, longest: longest)
  }

  /// How long all waits take, jitter aside.
  private var seconds: Double {
    var waits = attempts - 1
    var wait = first
    var seconds = 0.0
    while waits > 0, wait < longest {
      seconds += wait / .seconds(1)
      waits -= 1
      wait = min(longest, max(wait, .nanoseconds(1)) * 2)
    }
    return seconds + Double(waits) * (longest / .seconds(1))
  }

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
