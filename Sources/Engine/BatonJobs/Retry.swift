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
    let capped = Retry(attempts: attempts, first: min(first, longest), longest: longest)
    // In seconds: the number of attempts may be so large that a product of Durations traps.
    var rest = seconds(of: attempts - 1)
    var waits = 0
    while rest > 0, waits < Self.mostDoublings {
      waits += 1
      rest -= capped.seconds(after: waits)
    }
    let more = (max(rest, 0) / (longest / .seconds(1))).rounded(.up)
    return Retry(
      attempts: max(attempts, 1 + waits + Int(min(more, 1e15))), first: capped.first,
      longest: longest)
  }

  /// The waits double up to this one; those after it are as long.
  private static let mostDoublings = 41

  /// How long the first waits take, jitter aside.
  private func seconds(of waits: Int) -> Double {
    let doubling = min(waits, Self.mostDoublings)
    let rest = Double(waits - doubling) * seconds(after: Self.mostDoublings)
    return (0..<doubling).reduce(rest) { $0 + seconds(after: $1 + 1) }
  }

  /// One wait, jitter aside.
  private func seconds(after attempt: Int) -> Double {
    wait(after: attempt, jitter: 1) / .seconds(1)
  }

  /// The wait after a failed attempt: `min(longest, first * 2^(attempt - 1))`, of which a random
  /// half is taken off so that runs that failed together do not come back together.
  ///
  /// - Parameters:
  ///   - attempt: the attempt that failed, from 1.
  ///   - jitter: a random number from 0 to 1.
  public func wait(after attempt: Int, jitter: Double) -> Duration {
    let doublings = min(max(attempt, 1), Self.mostDoublings) - 1
    // Compared in seconds: a product of Durations traps where it is too large.
    let isLongest = first / .seconds(1) * Double(1 << doublings) >= longest / .seconds(1)
    let full = isLongest ? longest : first * (1 << doublings)
    return full / 2 + full / 2 * jitter
  }
}
